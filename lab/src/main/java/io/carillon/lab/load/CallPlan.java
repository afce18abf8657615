package io.carillon.lab.load;

import java.util.List;

/**
 * What a call is like.
 *
 * @param requestUri of its INVITE or REGISTER
 * @param ringNanos time between the callee's 180 and its 200
 * @param holdNanos time between the caller's ACK and its BYE
 * @param maxHeld calls that may be up at once; what is due above is not made
 * @param lateNanos answers later than this are counted as late
 * @param users who register, one after the other
 * @param expiresSeconds of a registration
 * @param habits what callers do beside calling
 */
record CallPlan(
        Workload workload,
        String requestUri,
        long ringNanos,
        long holdNanos,
        long maxHeld,
        long lateNanos,
        List<RegisteredUser> users,
        int expiresSeconds,
        CallerHabits habits) {

    /** Calls without users. */
    static CallPlan calls(
            Workload workload,
            String requestUri,
            long ringNanos,
            long holdNanos,
            long maxHeld,
            long lateNanos) {
        return new CallPlan(
                workload,
                requestUri,
                ringNanos,
                holdNanos,
                maxHeld,
                lateNanos,
                List.of(),
                0,
                CallerHabits.NONE);
    }

    /** The same by callers with habits. */
    CallPlan with(CallerHabits others) {
        return new CallPlan(
                workload,
                requestUri,
                ringNanos,
                holdNanos,
                maxHeld,
                lateNanos,
                users,
                expiresSeconds,
                others);
    }
}
