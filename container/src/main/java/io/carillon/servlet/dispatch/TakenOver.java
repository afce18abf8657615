package io.carillon.servlet.dispatch;

import io.carillon.servlet.feature.adopt.Adoption;
import io.carillon.servlet.feature.http.KeptPages;
import io.carillon.servlet.kernel.AbsentSessions;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.dialog.Glare;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.HeldTrying;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.StackUser;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * What comes for a call of another node that goes on here: it waits until the call is there, before
 * anybody says that there is none. On the shard.
 */
public final class TakenOver {
    /** Of a CANCEL: for records that are being looked through, twice at most, and for its call. */
    private static final int CANCEL_WAITS = 3;

    /** Less than a router waits for a sign of life of a node. */
    static final long TRYING_HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final Adoption adoption;
    private final InDialogRequests inDialog;
    private final OtherNodes others;
    private final RandomGenerator random;

    private TakenOver(
            Adoption adoption,
            InDialogRequests inDialog,
            OtherNodes others,
            RandomGenerator random) {
        this.adoption = adoption;
        this.inDialog = inDialog;
        this.others = others;
        this.random = random;
    }

    /**
     * With what is needed to go on with the calls of other nodes.
     *
     * @param store has their records
     */
    public static TakenOver of(
            NewSessions sessions,
            CallStore store,
            DeployedApplications deployed,
            OtherNodes others,
            InDialogRequests inDialog) {
        SessionHost host = sessions.host();
        others.keepIn(store, host);
        KeptPages pages = new KeptPages(store, host);
        host.parts().put(KeptPages.SLOT, pages);
        Adoption adoption =
                new Adoption(
                        sessions,
                        store,
                        deployed::find,
                        state -> KeptPages.isOne(state.id()) || others.known(state),
                        pages::look);
        host.parts().put(AbsentSessions.SLOT, adoption);
        return new TakenOver(adoption, inDialog, others, host.random());
    }

    public Adoption adoption() {
        return adoption;
    }

    /**
     * Does the request wait, or was it refused for want of room?
     *
     * @param user gets it when the call is there
     */
    public boolean request(
            Shard shard, ServerTransaction transaction, SipRequest request, StackUser user) {
        if (adoption.idle() || transaction.source().internal()) {
            return false;
        }
        // While it waits its sender goes on repeating it: for the next node, should this one die.
        HeldTrying held = HeldTrying.begin(transaction, shard.now() + TRYING_HELD_NANOS);
        // Of an INVITE the call may be that which another node began with it.
        Runnable again =
                () -> {
                    if (held != null) {
                        held.release();
                    }
                    if (transaction.attachment() == null) {
                        come(shard, transaction, request, user);
                    }
                };
        Adoption.Fate fate =
                adoption.take(
                        shard,
                        request,
                        transaction.countedAt(),
                        () ->
                                !inDialog.concerns(shard, request)
                                        || inDialog.knows(shard, request, transaction.source()),
                        again);
        if (fate == Adoption.Fate.NO_ROOM) {
            InitialRequests.refuse(
                    transaction, request, 500, Integer.toString(Glare.retryAfterSeconds(random)));
        }
        if (fate != Adoption.Fate.NOT_OURS || waitsForNamed(shard, request, again)) {
            return true;
        }
        if (held != null) {
            held.release();
        }
        return false;
    }

    /** What fails as it comes again has an answer, as where it comes for the first time. */
    private static void come(
            Shard shard, ServerTransaction transaction, SipRequest request, StackUser user) {
        try {
            user.request(shard, transaction, request);
        } catch (RuntimeException e) {
            if (transaction.claimFinal()) {
                InitialRequests.refuse(transaction, request, 500, null);
            }
            throw e; // it is told as every other one of an event loop
        }
    }

    /**
     * Does its Replaces or Join name a dialog that another node has had, or its URI an application
     * session?
     */
    private boolean waitsForNamed(Shard shard, SipRequest request, Runnable again) {
        DialogKey named = request.is(Methods.INVITE) ? Targeting.named(request) : null;
        Runnable then = () -> shard.executor().execute(again);
        String encoded = named == null ? inDialog.encoded(request) : null;
        return named == null
                ? encoded != null && adoption.bring(encoded, then)
                : adoption.bring(named, then);
    }

    /** Does the ACK wait, or is it dropped? Whoever sends it does so for each repeated 2xx. */
    public boolean ack(Shard shard, SipRequest ack, Hop from, boolean byToken, StackUser user) {
        return !adoption.idle()
                && !from.internal()
                && adoption.take(
                                shard,
                                ack,
                                shard.place(from),
                                () -> inDialog.knows(shard, ack, from),
                                () -> user.ack(shard, ack, from, byToken))
                        != Adoption.Fate.NOT_OURS;
    }

    /**
     * Does the CANCEL wait, whose INVITE no transaction here knows, or has it gone to another node?
     */
    public boolean cancel(Shard shard, SipRequest cancel, Hop from, Runnable again, Runnable gone) {
        return cancel(shard, cancel, from, again, gone, CANCEL_WAITS);
    }

    /** It waits for the records of its partition, then for its call. */
    private boolean cancel(
            Shard shard, SipRequest cancel, Hop from, Runnable again, Runnable gone, int waits) {
        if (others.cancels(shard, cancel, from)) {
            gone.run();
            return true;
        }
        return waits > 0
                && !adoption.idle()
                && !from.internal()
                && adoption.take(
                                shard,
                                cancel,
                                shard.place(from),
                                () -> false,
                                () -> {
                                    if (!cancel(shard, cancel, from, again, gone, waits - 1)) {
                                        again.run();
                                    }
                                })
                        == Adoption.Fate.WAITS;
    }

    /** Does the response wait, which no transaction here has asked for? */
    public boolean response(Shard shard, SipResponse response, Hop from) {
        return !adoption.idle()
                && adoption.take(
                                shard,
                                response,
                                shard.place(from),
                                () -> false,
                                () -> again(shard, response, from))
                        != Adoption.Fate.NOT_OURS;
    }

    private static void again(Shard shard, SipResponse response, Hop from) {
        byte[] bytes = Arrays.copyOf(response.bytes(), response.length());
        long now = shard.executor().nanoTime();
        if (from.reliable()) {
            shard.receiveFramed(bytes, bytes.length, from, now);
        } else {
            shard.receive(bytes, bytes.length, from, now);
        }
    }
}
