// Where a frame lies in another: its origin and the direction of its x axis.
#ifndef THRONG_STATE_POSE_H
#define THRONG_STATE_POSE_H

#include "base/scalar.h"

typedef struct throng_pose {
    double x, y;   // m
    double ux, uy; // of length 1
} throng_pose;

typedef struct throng_vector {
    double x, y;
} throng_vector;

static inline throng_vector throng_pose_turn(const throng_pose *pose, double x, double y) {
    return (throng_vector){pose->ux * x - pose->uy * y, pose->uy * x + pose->ux * y};
}

static inline throng_vector throng_pose_turn_back(const throng_pose *pose, double x, double y) {
    return (throng_vector){pose->ux * x + pose->uy * y, pose->ux * y - pose->uy * x};
}

/// From places in the frame to places outside.
static inline throng_vector throng_pose_place(const throng_pose *pose, double x, double y) {
    const throng_vector turned = throng_pose_turn(pose, x, y);
    return (throng_vector){pose->x + turned.x, pose->y + turned.y};
}

static inline throng_vector throng_pose_place_back(const throng_pose *pose, double x, double y) {
    return throng_pose_turn_back(pose, x - pose->x, y - pose->y);
}

/// The unit vector of an angle, rad, within +-1e6: exact to a few units in the last place, the same on every machine.
throng_vector throng_unit_vector(double angle);

/// The pose after a time: the origin moves straight, the axes turn.
throng_pose throng_pose_advance(const throng_pose *pose, throng_vector velocity, double turn_rate, double time);

#endif
