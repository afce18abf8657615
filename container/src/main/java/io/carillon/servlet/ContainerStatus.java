package io.carillon.servlet;

import io.carillon.servlet.threads.RunningHandler;
import java.util.List;

/**
 * The container at a glance; numbers are read one after the other while it works.
 *
 * @param callsHeld application sessions now
 * @param early SIP sessions in state EARLY
 * @param confirmed SIP sessions in state CONFIRMED
 * @param terminated SIP sessions in state TERMINATED that are not yet invalid
 * @param dialogs keys by which requests find their session
 * @param callsStarted initial INVITEs given to applications since the start
 * @param initialRequests all initial requests given to applications since the start
 * @param sessionsExpired application sessions that ended by their expiry
 * @param applicationErrors exceptions of applications
 * @param containerErrors failures of our own
 * @param strays requests, ACKs and responses without an owner
 * @param refused initial requests refused for want of room
 * @param noApplication initial requests that no application wanted
 * @param screened initial requests refused before an application was asked
 * @param acksMissing 2xx that never got their ACK
 * @param lateAnswers 2xx without an owner that we confirmed and ended
 * @param rescued tasks that a platform thread had to take over from a virtual one
 * @param draining are new calls refused?
 * @param applications names of the deployed applications, in order
 * @param slowHandlers application code that has been running for more than a second
 */
public record ContainerStatus(
        int callsHeld,
        long early,
        long confirmed,
        long terminated,
        int dialogs,
        long callsStarted,
        long initialRequests,
        long sessionsExpired,
        long applicationErrors,
        long containerErrors,
        long strays,
        long refused,
        long noApplication,
        long screened,
        long acksMissing,
        long lateAnswers,
        long rescued,
        boolean draining,
        List<String> applications,
        List<RunningHandler> slowHandlers) {}
