package io.carillon.servlet.feature.protect;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.outbox.Departures;
import io.carillon.sip.proxy.BranchResponses;
import org.jspecify.annotations.Nullable;

/**
 * Which messages wait: those by which a peer comes to rely on a call that another node must know
 * then. They are responses to its first INVITE: of each fork the first provisional one that makes
 * an early dialog, every reliable one (RFC 3262), every 2xx; and what answers a CANCEL. What the
 * call sends behind one that waits, waits behind it; ACK and CANCEL do not.
 *
 * <p>A response to another application of this server does not wait: what leaves the server in the
 * end is kept back by the application that sends it, and its record is in the same batch as theirs
 * or in a later one. Stateless; in the turn of the call.
 */
final class RecordGate implements Departures {
    @Override
    public boolean keeps(@Nullable Object attachment, SipResponse response, Runnable leaves) {
        ServletRequest request = attachment instanceof ServletRequest own ? own : null;
        ProtectedCall call = call(request);
        if (request == null || call == null) {
            return false;
        }
        boolean record =
                call.session.isValid() && reliesOnCall(request, response) && first(call, response);
        if (!record && !call.waits()) {
            return false;
        }
        call.keep(leaves, record);
        return true;
    }

    @Override
    public boolean keeps(Object user, Runnable leaves) {
        ProtectedCall call =
                switch (user) {
                    case UacTransaction own -> call(own.request());
                    case BranchResponses branch ->
                            branch.branch().context().server().attachment()
                                            instanceof ServletRequest received
                                    ? call(received)
                                    : null;
                    default -> null;
                };
        if (call == null || !call.waits()) {
            return false;
        }
        call.keep(leaves, false);
        return true;
    }

    @Override
    public boolean keepsCancelled(@Nullable Object attachment, Runnable leaves) {
        ServletSession session =
                attachment instanceof ServletRequest request ? request.session() : null;
        if (session == null || !(session.parent().companion() instanceof ProtectedCall call)) {
            return false;
        }
        CancelAnswers answers = new CancelAnswers(session.parent(), leaves);
        answers.begin(call.records.messages().waitNanos());
        // Behind the work that tells the application.
        call.session.submit(TurnTask.of(() -> call.keepIfWritten(answers)));
        return true;
    }

    /** Null where nothing is kept of it, or this thread is not in its turn. */
    private static @Nullable ProtectedCall call(@Nullable ServletRequest request) {
        ServletSession session = request == null ? null : request.session();
        return session != null
                        && session.parent().companion() instanceof ProtectedCall call
                        && call.session.held()
                ? call
                : null;
    }

    private static boolean reliesOnCall(ServletRequest request, SipResponse response) {
        UasTransaction server = request.uas();
        return response.status() < 300
                && request.isInitial()
                && request.getMethod().equals(Methods.INVITE)
                && server != null
                && !server.transaction().source().internal();
    }

    /** Not one that comes again. */
    private static boolean first(ProtectedCall call, SipResponse response) {
        String tag = response.toTag();
        if (tag == null) {
            return false;
        }
        if (response.status() >= 200) {
            return call.forks().first(tag, SeenForks.SUCCESS);
        }
        return call.forks().first(tag, number(response.header(HeaderName.RSEQ)));
    }

    private static long number(@Nullable String rseq) {
        if (rseq == null) {
            return SeenForks.PLAIN;
        }
        try {
            return Long.parseLong(rseq.trim());
        } catch (NumberFormatException e) {
            return SeenForks.PLAIN;
        }
    }
}
