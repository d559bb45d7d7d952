def torch_compile_guard(*_, **__):
    return lambda function: function


def is_torch_equal_or_newer(_):
    return True
