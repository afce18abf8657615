package io.carillon.servlet.threads;

/**
 * A piece of application code that runs now.
 *
 * @param application name of the application
 * @param servlet name of the servlet or listener
 * @param method what it handles: a SIP method, a status code, {@code timer}, {@code listener}
 * @param callId the call it belongs to, empty when none
 * @param sinceNanos how long it has been running
 * @param holdsThread true when it computes, false when it waits
 * @param thread on which it runs
 */
public record RunningHandler(
        String application,
        String servlet,
        String method,
        String callId,
        long sinceNanos,
        boolean holdsThread,
        Thread thread) {}
