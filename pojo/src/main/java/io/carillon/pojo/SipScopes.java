package io.carillon.pojo;

import io.carillon.pojo.current.Current;
import io.carillon.pojo.current.Dispatch;
import java.util.concurrent.Callable;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipSession;

/**
 * Work that no handler began, such as an HTTP request, in the scope of a session: beans of the
 * scopes and injected sessions are then those of it. On the calling thread.
 *
 * <p>It does not keep handlers of the same session from running at the same time: what the beans
 * share with them has to be safe for threads.
 */
public final class SipScopes {
    private SipScopes() {}

    /**
     * Runs it with the beans of an application session; there is no SIP session and no call.
     *
     * @throws Exception what {@code work} throws
     */
    public static <T> T within(SipApplicationSession session, Callable<T> work) throws Exception {
        return Current.<T, Exception>within(Dispatch.of(session), work::call);
    }

    /**
     * Runs it with the beans of a SIP session, of its call and of its application session.
     *
     * @throws Exception what {@code work} throws
     */
    public static <T> T within(SipSession session, Callable<T> work) throws Exception {
        return Current.<T, Exception>within(Dispatch.of(session), work::call);
    }
}
