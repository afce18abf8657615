package io.carillon.lab.load;

/**
 * What a call is like.
 *
 * @param requestUri of its INVITE
 * @param ringNanos time between the callee's 180 and its 200
 * @param holdNanos time between the caller's ACK and its BYE
 * @param maxHeld calls that may be up at once; what is due above is not made
 * @param lateNanos answers later than this are counted as late
 */
record CallPlan(String requestUri, long ringNanos, long holdNanos, long maxHeld, long lateNanos) {}
