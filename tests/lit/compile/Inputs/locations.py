def kernel(x, y):
    a = load(x)
    b = a * a
    c = sqrt(b)
    store(c)
