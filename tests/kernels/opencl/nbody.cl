// Gravitation of all pairs, bodies staged through local memory.
kernel void nbody(global const float4 *bodies, global float4 *velocities, global float4 *moved, uint n, float dt, float soft) {
  local float4 tile[64];
  uint i = get_global_id(0), lid = get_local_id(0);
  float4 me = bodies[i];
  float3 a = 0;
  for (uint t = 0; t < n; t += 64) {
    tile[lid] = bodies[t + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 64; ++j) {
      float3 d = tile[j].xyz - me.xyz;
      float inverse = rsqrt(dot(d, d) + soft);
      a += d * (tile[j].w * inverse * inverse * inverse);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float4 v = velocities[i];
  v.xyz += a * dt;
  velocities[i] = v;
  moved[i] = (float4)(me.xyz + v.xyz * dt, me.w);
}
