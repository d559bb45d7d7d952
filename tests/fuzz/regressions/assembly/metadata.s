b.amdgpu_metadata *---
a: 1
.end_amdgpu_metadata
