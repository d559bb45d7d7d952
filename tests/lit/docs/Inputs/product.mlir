func.func @product(%a: memref<256x96xf16>, %b: memref<96x200xf16>, %c: memref<256x200xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x200xf32>)
  linalg.matmul ins(%a, %b : memref<256x96xf16>, memref<96x200xf16>) outs(%c : memref<256x200xf32>)
  return
}
