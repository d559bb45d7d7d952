AITER_CONFIGS = None


def compile_ops(*_, **__):
    return lambda function: function
