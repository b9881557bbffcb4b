"""Walls and discs, measured in plain double arithmetic: the cases' own ruler."""
import math


def segment_distance(point, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    px, py = point[0] - a[0], point[1] - a[1]
    length2 = dx * dx + dy * dy
    along = min(1.0, max(0.0, (px * dx + py * dy) / length2)) if length2 else 0.0
    return math.hypot(px - along * dx, py - along * dy)


def is_within(point, polygon):
    x, y = point
    within = False
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            within = not within
    return within


class Walls:
    def __init__(self, scene):
        self.segments, self.solids, self.enclosures = [], [], []
        for wall in scene.get("walls", []):
            points = wall.get("polygon", wall.get("line"))
            closed = points + points[:1] if "polygon" in wall else points
            self.segments += [(a, b) for a, b in zip(closed, closed[1:])]
            if "polygon" in wall:
                (self.enclosures if wall.get("enclosure") else self.solids).append(points)

    def reach_into(self, place, radius):
        """How deep the disc is in a wall; from the far side where its center is in a solid."""
        if not self.segments:
            return -math.inf
        nearest = min(segment_distance(place, a, b) for a, b in self.segments)
        blocked = any(is_within(place, s) for s in self.solids) or any(not is_within(place, e) for e in self.enclosures)
        return radius + nearest if blocked else radius - nearest

    def passed_through(self, before, after, radius):
        """Whether the straight way between two frames crosses a segment farther than `radius` from its ends, where no
        way around an end can explain it."""
        for a, b in self.segments:
            length = math.dist(a, b)
            if length <= 2 * radius:
                continue
            left = [(b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) for p in (before, after)]
            if left[0] * left[1] >= 0:
                continue
            share = left[0] / (left[0] - left[1])
            cut = [p + (q - p) * share for p, q in zip(before, after)]
            along = ((cut[0] - a[0]) * (b[0] - a[0]) + (cut[1] - a[1]) * (b[1] - a[1])) / length
            if radius < along < length - radius:
                return True
        return False


def deepest_pair(frame, radius_of):
    """(overlap, one, other) of the two discs that overlap most; a sweep over x."""
    order = sorted(frame.agents, key=lambda i: frame.agents[i][0] - radius_of[i])
    deepest, active = (-math.inf, None, None), []
    for i in order:
        left = frame.agents[i][0] - radius_of[i]
        active = [j for j in active if frame.agents[j][0] + radius_of[j] > left]
        for j in active:
            overlap = radius_of[i] + radius_of[j] - math.dist(frame.place(i), frame.place(j))
            deepest = max(deepest, (overlap, j, i), key=lambda d: d[0])
        active.append(i)
    return deepest
