#include "state/pose.h"

#include <assert.h>

static const double two_pi = 6.283185307179586476925;

static throng_vector of_length_one(double x, double y) {
    const double length = sqrt(x * x + y * y);
    return (throng_vector){x / length, y / length};
}

throng_vector throng_unit_vector(double angle) {
    assert(throng_is_within(angle, 1e9));
    const double turns = angle / two_pi;
    const double whole = (double)(int64_t)(turns + (turns < 0.0 ? -0.5 : 0.5));
    // Half of an angle within half a turn eight times, so that the series of a small one does, then doubled as often.
    enum { HALVINGS = 8 };
    const double small = (angle - whole * two_pi) / (1 << HALVINGS), square = small * small;
    double sine = small * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0))));
    // 1 - cosine, which keeps its digits.
    double versine = square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0)));
    for (int i = 0; i < HALVINGS; ++i) {
        const double twice = 2.0 * sine * (1.0 - versine);
        versine = 2.0 * sine * sine;
        sine = twice;
    }
    return of_length_one(1.0 - versine, sine);
}

throng_pose throng_pose_advance(const throng_pose *pose, throng_vector velocity, double turn_rate, double time) {
    throng_pose next = *pose;
    next.x += velocity.x * time;
    next.y += velocity.y * time;
    if (turn_rate == 0.0) return next;
    const throng_vector turn = throng_unit_vector(turn_rate * time);
    const throng_vector axis = throng_pose_turn(pose, turn.x, turn.y);
    const throng_vector unit = of_length_one(axis.x, axis.y);
    next.ux = unit.x;
    next.uy = unit.y;
    return next;
}
