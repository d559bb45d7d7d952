// What a verb hands to a program that it starts: where this command is, and variables of the environment.
#pragma once

#include <string>

namespace inflight::cli {

/// The file of this command.
std::string commandFile();

void setVariable(const char *name, const std::string &value);

/// Puts a folder before the others of a list such as PATH.
void prependFolder(const char *variable, const std::string &folder);

} // namespace inflight::cli
