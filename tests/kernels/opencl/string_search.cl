// All places of a pattern with a bad-character skip table in local memory, and a case-insensitive count of words.
kernel void horspool(global const char *text, uint n, constant char *pattern, uint m, global uint *found, global uint *count, uint span) {
  local uint skip[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    skip[i] = m;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    for (uint i = 0; i + 1 < m; ++i)
      skip[(uchar)pattern[i]] = m - 1 - i;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint begin = get_global_id(0) * span, end = min(begin + span, n - m + 1);
  for (uint at = begin; at < end;) {
    uint i = m;
    while (i > 0 && text[at + i - 1] == pattern[i - 1])
      --i;
    if (i == 0)
      found[atomic_inc(count)] = at;
    at += i == 0 ? 1 : skip[(uchar)text[at + m - 1]];
  }
}
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
kernel void count_words(global const char *text, uint n, global uint *words, global uint *letters) {
  uint i = get_global_id(0);
  bool here = i < n && is_letter(text[i]), before = i > 0 && i <= n && is_letter(text[i - 1]);
  if (here && !before)
    atomic_inc(words);
  if (here)
    atomic_inc(&letters[(text[i] | 0x20) - 'a']);
}
