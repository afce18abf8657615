package io.carillon.servlet.kernel;

import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.port.NextApplication;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.sip.AuthInfo;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The moments in the life of sessions and messages at which features have their say. Sessions and
 * messages know these moments and no feature; one object of the container knows the features.
 *
 * <p>With the turn of the application session held, unless a method says otherwise.
 */
public interface SessionHooks {
    // ---- a request of ours leaves ----

    /** An ACK of the application's is about to leave. */
    void acknowledging(ServletSession session, ServletRequest ack);

    /** A request of the application's is about to leave; it may still be written to. */
    void sending(ServletSession session, ServletRequest request);

    /** Puts credentials into it that a challenge before has asked the session for. */
    void authenticate(ServletSession session, ServletRequest request);

    /** Where an initial request that an application made goes. */
    NextApplication onward(ServletSession session, ServletRequest request, Shard shard);

    /** For a request in a dialog: the application of ours that is next; null: by the wire. */
    @Nullable Hop next(ServletSession session, MessageDraft draft);

    /**
     * Takes credentials that answer a challenge of ours out of what leaves this server.
     *
     * @param own values that stay
     */
    void consume(MessageDraft leaving, List<String> own);

    /** Does the application ask that the flow of this request is kept alive? */
    boolean keepsAlive(ServletRequest request);

    // ---- it is answered ----

    /**
     * The request that goes in place of one that was refused with 422.
     *
     * @return null: the application hears of the refusal
     */
    @Nullable MessageDraft again(
            ServletSession session, ServletRequest request, SipResponse refusal);

    /** A REGISTER has its final response. */
    void registered(
            ServletSession session,
            ServletRequest request,
            SipResponse response,
            @Nullable RequestAttempt attempt);

    /** A request of ours was answered with a 2xx. */
    void accepted(ServletSession session, ServletRequest request, SipResponse response);

    /** Gives a response to the servlet of its session. */
    void deliver(ServletSession session, ServletResponse response);

    /** Who meets a 2xx after the session that sent the INVITE has ended. Any thread. */
    AttemptUser lateAnswers();

    /**
     * A 2xx whose session is gone is confirmed and ended.
     *
     * @param from where it came from; null when that is not known
     */
    void endLateAnswer(@Nullable SipRequest sent, SipResponse response, @Nullable Hop from);

    // ---- we answer ----

    /** A response of the application's is about to be printed. */
    void answering(ServletRequest request, ServletResponse response);

    /** It is printed, and the dialog knows of it. */
    void answered(ServletRequest request, ServletResponse response, SipResponse printed);

    // ---- what applications ask of a message ----

    /** The proxy of a request; made now. */
    RequestProxy proxy(ServletRequest request, UasTransaction server);

    B2buaHelper b2bua();

    /** Puts credentials into a request that answer the challenge, from the application's list. */
    void answerChallenge(
            ServletRequest request, SipServletResponse challenge, AuthInfo info, boolean keep);

    /** The same with one user's name and password. */
    void answerChallenge(
            ServletRequest request,
            SipServletResponse challenge,
            String user,
            String password,
            boolean keep);

    // ---- life ----

    /** A SIP session began; perhaps nobody else has it yet. */
    void opened(ServletSession session);

    /** A call of another node goes on here; nothing of it was done yet. */
    void takenOver(ApplicationSession session, TakeOver how);

    /** What who looks on here wants to tell who looks on at the next node; null for nothing. */
    @Nullable String kept(ApplicationSession session);

    /** As {@link #kept} of the node before says; before {@link #takenOver}. */
    void goesOn(ApplicationSession session, TakeOver how, String kept);

    /** The application session is dropped, as another node goes on with it. */
    void dropped(ApplicationSession session);

    /** A SIP session ends now. */
    void ended(ServletSession session);

    /** The application session's time is over, and its listeners were told. */
    void expired(ApplicationSession session);

    /** A piece of work of ours failed by a fault of the container. */
    void failed(ApplicationSession session, Throwable error);

    // ---- bytes ----

    /** Reads a timer that {@link TimerChild#write} wrote, into the session. */
    void readTimer(ApplicationSession session, StateReader in, AttributeCodec codec);

    /** Reads what {@link ForwardedDialog#write} wrote. */
    ForwardedDialog readForwarded(ServletSession session, StateReader in);

    /** Does the proxy of an INVITE under way go to another node? */
    boolean proxyGoes(RequestProxy proxy);

    /** The proxy of an INVITE under way; null where it does not go to another node. */
    byte @Nullable [] proxyBytes(RequestProxy proxy);

    /** What {@link #proxyBytes} gave goes on, for that INVITE. */
    void readProxy(ServletRequest invite, byte[] bytes);

    /** Gives each key by which requests of its ends find that dialog. */
    void keys(ForwardedDialog dialog, Consumer<DialogKey> each);

    /** Reads what {@link RefreshTimer#write} wrote; it runs once the session has it. */
    RefreshTimer readRefresh(ServletSession session, StateReader in);

    /** Writes the session's caller and its answered challenges. */
    void writeSecurity(ServletSession session, StateWriter out);

    /** Reads what {@link #writeSecurity} wrote, into the session. */
    void readSecurity(ServletSession session, StateReader in);
}
