// European options; the normal distribution by the polynomial of Abramowitz and Stegun, and by erfc.
float cnd(float d) {
  const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float c = 0.39894228040143267793994605993438f * exp(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
  return d > 0 ? 1.0f - c : c;
}
kernel void black_scholes(global const float4 *options, global float2 *prices, float rate, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  float4 o = options[i]; // price, strike, years, volatility
  float root = sqrt(o.z);
  float d1 = (log(o.x / o.y) + (rate + 0.5f * o.w * o.w) * o.z) / (o.w * root), d2 = d1 - o.w * root;
  float discount = o.y * exp(-rate * o.z);
  prices[i] = (float2)(o.x * cnd(d1) - discount * cnd(d2), discount * cnd(-d2) - o.x * cnd(-d1));
}
kernel void normal(global const double *x, global double *y) {
  size_t i = get_global_id(0);
  y[i] = 0.5 * erfc(-x[i] * M_SQRT1_2);
}
