// LibYAML, whose events say on which line something stands.
#ifndef TUTTI_CLIBYAML_SHIM_H
#define TUTTI_CLIBYAML_SHIM_H

#include <yaml.h>

#endif
