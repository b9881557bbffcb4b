// Time for profiles; decides nothing.
#ifndef THRONG_BASE_CLOCK_H
#define THRONG_BASE_CLOCK_H

/// Seconds since some moment, never going back.
double throng_seconds(void);

#endif
