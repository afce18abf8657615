package io.carillon.servlet.dispatch;

import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.ForwardedDialog;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionTables;
import io.carillon.servlet.port.Contacts;
import io.carillon.servlet.port.ContainerCounters;
import io.carillon.servlet.port.ContainerShards;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.transaction.TransactionTable;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * A 2xx to an INVITE of ours that no application owns any more: it is confirmed and ended, so that
 * the one who answered is not left talking to nobody (RFC 3261 13.2.2.4). Any thread.
 *
 * <p>Anybody can send a 2xx, and what ends it is larger than that and goes where it says. So one
 * without a transaction is answered only when its branch proves that the INVITE was ours, at most
 * {@link AnsweredInvites as often as one INVITE may}, and no connection is opened for it. A dialog
 * that lives gets an ACK and nothing else.
 */
public final class LateAnswers implements AttemptUser {
    /** What a request gets on its way: our Via, with a host name of usual length. */
    private static final int MOST_ADDED_BYTES = 400;

    private final SessionTables tables;
    private final ContainerCounters counters;
    private final ContainerShards shards;
    private final Contacts contacts;
    private final LongSupplier millis;
    private final AnsweredInvites answered = new AnsweredInvites();

    /**
     * @param millis the wall clock in milliseconds since 1970
     */
    public LateAnswers(
            SessionTables tables,
            ContainerCounters counters,
            ContainerShards shards,
            Contacts contacts,
            LongSupplier millis) {
        this.tables = tables;
        this.counters = counters;
        this.shards = shards;
        this.contacts = contacts;
        this.millis = millis;
    }

    /**
     * Nobody waits for the answer to such a BYE. The stack repeats it until one comes, where it
     * goes to whoever sent the 2xx.
     */
    private record Nobody(@Nullable Hop heard) implements AttemptUser {
        @Override
        public void response(RequestAttempt attempt, SipResponse response) {
            // whatever it says, the call is over
        }

        @Override
        public boolean heardAt(Hop hop) {
            return heard != null
                    && SourceKey.of(heard.remote().getAddress())
                            == SourceKey.of(hop.remote().getAddress());
        }

        @Override
        public void failed(RequestAttempt attempt, Failure failure) {
            // counted by the stack
        }
    }

    /** A response without a client transaction; on the shard. */
    public void stray(Shard shard, SipResponse response, Hop from) {
        counters.strays.increment();
        int status = response.status();
        boolean success =
                status >= 200 && status < 300 && response.cseq().method().equals(Methods.INVITE);
        if (success && response.vias().size() > 1) {
            forwarded(response, from);
            return;
        }
        long invite = success ? shard.inviteOf(response) : 0;
        if (invite != 0 && !ended(shard, invite, response, from)) {
            counters.lateAnswersLeft.increment();
        }
    }

    /**
     * With more than one Via it went through us as a proxy. RFC 6026 7.3 forbids to forward what
     * matches no transaction; of a call that another node has had its record stands for that.
     */
    private void forwarded(SipResponse response, Hop from) {
        String caller = response.fromTag() == null ? "" : response.fromTag();
        String callee = response.toTag() == null ? "" : response.toTag();
        DialogKey key = new DialogKey(response.callId(), caller, callee);
        ServletSession last = tables.proxied(key);
        if (last != null) {
            inTurn(
                    last,
                    through ->
                            through.isOfCallee(response, from)
                                    && forward(last, through, response, key, from));
        }
    }

    /**
     * By one application of ours, which has set the top Via; the next one towards the caller may be
     * inside too.
     */
    private boolean forward(
            ServletSession session,
            ForwardedDialog through,
            SipResponse response,
            DialogKey key,
            Hop from) {
        Shard home = session.parent().home();
        Hop back = through.wayBack(response);
        Via top = response.topVia();
        if (back == null
                || response.vias().size() < 2
                || !home.wire().isLocal(top.host(), top.port())) {
            return false;
        }
        MessageDraft draft = MessageDraft.copyOf(response);
        draft.removeFirst(HeaderName.VIA);
        SipResponse onward = draft.freezeResponse();
        if (!back.internal()) {
            int partition = CallPartition.known(session.parent());
            home.perform(() -> home.requests().answer(onward, back, partition));
            return true;
        }
        ServletSession next = tables.next(key, session.path().depth());
        if (next == null) {
            return confirmedHere(home, onward, key, from);
        }
        inTurn(next, above -> forward(next, above, onward, key, from));
        return true;
    }

    /** Who called is a leg of ours: RFC 3261 13.2.2.4 asks it for an ACK once more. */
    private boolean confirmedHere(Shard shard, SipResponse response, DialogKey key, Hop from) {
        long invite = shard.inviteOf(response);
        ServletSession living = tables.dialog(key);
        return invite != 0
                && living != null
                && living.dialog().state() == SipSession.State.CONFIRMED
                && confirmed(shard, invite, living, response, from, true);
    }

    /** What is not forwarded is counted. */
    private void inTurn(ServletSession session, Predicate<ForwardedDialog> forwards) {
        session.parent()
                .submit(
                        TurnTask.of(() -> {
                            ForwardedDialog through = session.dialog().proxied();
                            if (through == null || !forwards.test(through)) {
                                counters.lateAnswersLeft.increment();
                            }
                        }));
    }

    /** Confirms and ends a 2xx that has no transaction; false when nothing is sent for it. */
    private boolean ended(Shard shard, long number, SipResponse response, Hop from) {
        String toTag = response.toTag();
        String fromTag = response.fromTag();
        String tag = toTag == null ? "" : toTag;
        DialogKey key = new DialogKey(response.callId(), fromTag == null ? "" : fromTag, tag);
        ServletSession living = tables.dialog(key);
        if (living != null && living.dialog().state() == SipSession.State.CONFIRMED) {
            return confirmed(shard, number, living, response, from, false);
        }
        SipRequest invite = inviteOf(response);
        Dialog dialog = Dialog.uac(invite, response);
        dialog.received(response);
        Hop back = from.reliable() ? from : null;
        Uri next = back == null ? byDatagram(dialog.nextHop()) : dialog.nextHop();
        MessageDraft ack = dialog.ack(invite);
        if (next == null || (back == null && !fitsDatagram(shard, ack))) {
            return false;
        }
        AnsweredInvites.Answer answer =
                answered.to(number, TransactionTable.stableHash(tag), millis.getAsLong());
        if (answer == AnsweredInvites.Answer.NOTHING) {
            return false;
        }
        if (answer == AnsweredInvites.Answer.ACK || back != null || names(next, from)) {
            shard.sendAck(ack, next, back, contacts, Origin.OUTSIDE, place(from));
        }
        if (answer == AnsweredInvites.Answer.ACK_AND_BYE) {
            counters.lateAnswers.increment();
            MessageDraft bye = dialog.request(Methods.BYE);
            shard.send(
                    new OutgoingRequest(bye, new Nobody(from))
                            .nextHop(next)
                            .fixedHop(back)
                            .origin(Origin.OUTSIDE)
                            .countedAt(place(from)));
        }
        return true;
    }

    /**
     * The call is alive, and the 2xx is repeated: its ACK was lost with the node that had the call
     * before. RFC 3261 13.2.2.4: "The UAC core MUST generate an ACK request for each 2xx received";
     * without one the callee hangs up. It goes where the dialog leads, not where the 2xx says.
     *
     * @param inside it came through a proxy of ours, which is where the dialog leads
     */
    private boolean confirmed(
            Shard shard,
            long number,
            ServletSession living,
            SipResponse response,
            Hop from,
            boolean inside) {
        String toTag = response.toTag();
        long tag = TransactionTable.stableHash(toTag == null ? "" : toTag);
        if (answered.to(number, tag, millis.getAsLong()) == AnsweredInvites.Answer.NOTHING) {
            return false;
        }
        living.parent()
                .submit(TurnTask.of(() -> acknowledge(shard, living, response, from, inside)));
        return true;
    }

    /** In the turn. */
    private void acknowledge(
            Shard shard, ServletSession living, SipResponse response, Hop from, boolean inside) {
        Dialog dialog = living.dialog().own();
        if (dialog == null || dialog.state() != Dialog.State.CONFIRMED) {
            return;
        }
        if (inside) {
            // Not by the callee's connection: the proxy is the first on its way.
            shard.sendAck(
                    dialog.ack(inviteOf(response)),
                    dialog.nextHop(),
                    null,
                    contacts,
                    Origin.OWN,
                    place(from));
            return;
        }
        Hop back = from.reliable() ? from : null;
        Uri next = back == null ? byDatagram(dialog.nextHop()) : dialog.nextHop();
        if (next == null) {
            counters.lateAnswersLeft.increment();
            return;
        }
        MessageDraft ack = dialog.ack(inviteOf(response));
        if (back != null || fitsDatagram(shard, ack)) {
            shard.sendAck(ack, next, back, contacts, Origin.OUTSIDE, place(from));
        } else {
            counters.lateAnswersLeft.increment();
        }
    }

    /** What is larger would leave by a connection (18.1.1). */
    private static boolean fitsDatagram(Shard shard, MessageDraft ack) {
        int length = ack.copy().freezeRequest().length();
        return length + MOST_ADDED_BYTES <= shard.config().udpLimit();
    }

    /** The URI with UDP for its transport; null when it names another one. */
    private static @Nullable Uri byDatagram(Uri next) {
        if (!(next instanceof SipUri uri) || uri.secure()) {
            return null;
        }
        String named = uri.transport();
        if (named != null && Transport.of(named) != Transport.UDP) {
            return null;
        }
        // Else the DNS might say that a connection is wanted.
        return named == null ? uri.withParam("transport", "udp") : uri;
    }

    /** Of an INVITE whose session ended while its transaction lingered; on the shard. */
    @Override
    public void response(RequestAttempt attempt, SipResponse response) {
        if (response.status() / 100 == 2) {
            end(attempt.shard(), attempt.request(), response, attempt.hop());
        }
    }

    @Override
    public void failed(RequestAttempt attempt, Failure failure) {
        // The INVITE has its 2xx: an attempt that lingers cannot fail. Counted all the same.
        counters.strays.increment();
    }

    /**
     * As {@link #response}, for one whose session ended before it was processed. Each fork comes
     * here once: the stack knows their To tags, and how many there may be.
     *
     * @param from where it came from; null when that is not known
     */
    public void end(@Nullable SipRequest sent, SipResponse response, @Nullable Hop from) {
        end(shards.some(), sent, response, from);
    }

    private void end(
            Shard shard, @Nullable SipRequest sent, SipResponse response, @Nullable Hop from) {
        counters.lateAnswers.increment();
        SipRequest invite = sent != null ? sent : inviteOf(response);
        Dialog dialog = Dialog.uac(invite, response);
        dialog.received(response);
        if (names(dialog.nextHop(), from)) {
            shard.sendAck(
                    dialog.ack(invite),
                    dialog.nextHop(),
                    null,
                    contacts,
                    Origin.OWN,
                    Sources.NOBODY);
        }
        MessageDraft bye = dialog.request(Methods.BYE);
        shard.send(
                new OutgoingRequest(bye, new Nobody(from))
                        .nextHop(dialog.nextHop())
                        .countedAt(from == null ? Sources.NOBODY : place(from)));
    }

    /** He may name whomever he likes in his 2xx. */
    private int place(Hop from) {
        return tables.shares().place(from);
    }

    /**
     * Does it name, in digits, the host that the 2xx came from? Else it may be another's: whoever
     * answers makes up as many forks as he likes, and each shall bring one message of ours there
     * and not two. RFC 3261 13.2.2.4 wants an ACK; the BYE alone ends the call too (15).
     */
    private static boolean names(Uri next, @Nullable Hop from) {
        if (from == null || !(next instanceof SipUri uri)) {
            return false;
        }
        String maddr = uri.maddr();
        String host = maddr == null ? uri.host() : maddr;
        InetAddress address = from.remote().getAddress();
        try {
            int end = host.length() - 1;
            boolean brackets = host.startsWith("[") && host.charAt(end) == ']';
            return address.equals(InetAddress.ofLiteral(brackets ? host.substring(1, end) : host));
        } catch (IllegalArgumentException name) {
            return false;
        }
    }

    /** What we must have sent to get this response. */
    private static SipRequest inviteOf(SipResponse response) {
        NameAddress contact = response.contact();
        Uri target = contact == null || contact.wildcard() ? response.to().uri() : contact.uri();
        MessageDraft draft = MessageDraft.request(Methods.INVITE, target);
        draft.setFrom(response.from());
        draft.setTo(response.to().withoutParam("tag"));
        draft.set(HeaderName.CALL_ID, response.callId());
        draft.setCSeq(response.cseq().number(), Methods.INVITE);
        draft.prependVia(response.topVia());
        return draft.freezeRequest();
    }
}
