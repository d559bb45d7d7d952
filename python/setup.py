"""The wheel holds libinflight.so and the command, so it is one for each platform, but for every Python."""
from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class Binary(Distribution):
    def has_ext_modules(self):
        return True


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(distclass=Binary, cmdclass={"bdist_wheel": PlatformWheel})
