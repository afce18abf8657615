package io.carillon.servlet.kernel;

import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a SUBSCRIBE of ours waits for until Timer N (RFC 6665 section 4.1.2.4): NOTIFYs, each of
 * which may be of another fork and then begins a dialog of its own (4.4.1).
 *
 * <p>Owner: the turn of the application session; its place on the wheel belongs to the home shard.
 */
public final class Subscriber extends WheelTimer implements OpenMessages.Lingering, Runnable {
    /** Characters of an event's name, or of its id, that are kept as they came. */
    private static final int MOST_TEXT = 32;

    private static final int HASH_BYTES = 12;

    private final ServletSession session;

    /**
     * The {@link UacTransaction}; once it has its final response the bytes of the SUBSCRIBE, which
     * is all that a fork begins with. Many subscriptions wait here at a time.
     */
    private Object subscribe;

    private final DialogKey half;
    private int forks;

    /** With the turn held, as the SUBSCRIBE leaves. */
    static void await(ServletSession session, UacTransaction subscribe) {
        Subscriber made = new Subscriber(session, subscribe);
        DialogLife.awaitNotify(session, made.half);
        session.lingers(made);
        session.parent().onHome(made);
    }

    private Subscriber(ServletSession session, UacTransaction subscribe) {
        this.session = session;
        this.subscribe = subscribe;
        this.half = new DialogKey(session.getCallId(), session.localTag(), "");
    }

    /** That SUBSCRIBE has its final response. The turn is held. */
    void answered(UacTransaction subscribed) {
        SipRequest sent = subscribe == subscribed ? subscribed.sentRequest() : null;
        if (sent != null) {
            subscribe = sent.keptBytes();
        }
    }

    private @Nullable SipRequest sent() {
        if (subscribe instanceof UacTransaction waiting) {
            return waiting.sentRequest();
        }
        Shard home = session.parent().home();
        return home.parseOwn((byte[]) subscribe) instanceof SipRequest request ? request : null;
    }

    /** On the home shard. */
    @Override
    public void run() {
        Shard home = session.parent().home();
        // RFC 6665 4.1.2.4: "Timer N is set to 64*T1".
        home.timers().schedule(this, home.now() + home.config().timers().timeoutNanos());
    }

    @Override
    protected int partition() {
        return session.parent().expiry.partition();
    }

    @Override
    protected void fire(long nowNanos) {
        session.parent().submit(new TimerN());
    }

    private final class TimerN extends TurnTask {
        @Override
        protected void run() {
            session.underWay().lingered(Subscriber.this);
            DialogLife.notifyAwaited(session, half);
            for (ServletSession other : List.copyOf(session.parent().sessions())) {
                Dialog dialog = other.dialog().own();
                // "If Timer N expires prior to the receipt of a NOTIFY request, the subscriber
                // considers the subscription failed, and cleans up any state".
                if (dialog != null
                        && dialog.remoteCSeq() < 0
                        && dialog.callId().equals(half.callId())
                        && dialog.localTag().equals(half.localTag())) {
                    DialogLife.subscriptionEnded(other);
                }
            }
        }
    }

    /** The session ends. */
    @Override
    public void release() {
        DialogLife.notifyAwaited(session, half);
        session.parent().onHome(() -> session.parent().home().timers().cancel(this));
    }

    /**
     * The session of another fork, whose first NOTIFY this is; null when there are too many. The
     * turn is held.
     */
    public @Nullable ServletSession fork(SipRequest notify) {
        SipRequest sent = sent();
        String tag = notify.fromTag();
        if (sent == null || tag == null || !session.isValid()) {
            return null;
        }
        ServletSession fork = DerivedSession.notified(session, tag, forks);
        if (fork == null) {
            return null;
        }
        forks++;
        DialogLife.begin(fork, Dialog.subscriber(sent, notify), Methods.SUBSCRIBE);
        DialogLife.follow(fork);
        return fork;
    }

    /** The subscription that a REFER makes (RFC 3515 2.4.6). */
    static String refer(long cseq) {
        return "refer;" + cseq;
    }

    static boolean isRefer(String usage) {
        return usage.equals("refer") || usage.startsWith("refer;");
    }

    /**
     * What tells subscriptions of one dialog apart: the event, and its id where it has one. A peer
     * makes both as long as a header may be, and a session keeps several: of a long one there is
     * its hash in its place.
     */
    static String usage(@Nullable String event) {
        if (event == null) {
            return "";
        }
        int semicolon = event.indexOf(';');
        String type = semicolon < 0 ? event : event.substring(0, semicolon);
        int id = event.toLowerCase(Locale.ROOT).indexOf("id=", Math.max(0, semicolon));
        if (semicolon < 0 || id < 0) {
            return shortened(type.strip());
        }
        int end = event.indexOf(';', id);
        String ofType = event.substring(id + 3, end < 0 ? event.length() : end).strip();
        return shortened(type.strip()) + ';' + shortened(ofType);
    }

    private static String shortened(String text) {
        if (text.length() <= MOST_TEXT) {
            return text;
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
