// The whole of libthrong: maps, worlds, agents, supports, queries. Routes and journeys are in <throng/plan.h>.
#ifndef THRONG_H
#define THRONG_H

#include <throng/base.h>
#include <throng/map.h>
#include <throng/agents.h>
#include <throng/world.h>
#include <throng/supports.h>
#include <throng/query.h>
#include <throng/doors.h>

#endif
