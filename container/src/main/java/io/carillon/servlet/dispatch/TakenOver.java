package io.carillon.servlet.dispatch;

import io.carillon.servlet.feature.adopt.Adoption;
import io.carillon.sip.dialog.Glare;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import java.util.random.RandomGenerator;

/**
 * What comes for a call of another node that goes on here: it waits until the call is there, before
 * anybody says that there is none. On the shard.
 */
public final class TakenOver {
    private final Adoption adoption;
    private final InDialogRequests inDialog;
    private final RandomGenerator random;

    public TakenOver(Adoption adoption, InDialogRequests inDialog, RandomGenerator random) {
        this.adoption = adoption;
        this.inDialog = inDialog;
        this.random = random;
    }

    public Adoption adoption() {
        return adoption;
    }

    /**
     * Does the request wait, or was it refused for want of room?
     *
     * @param again brings it again
     */
    public boolean request(
            Shard shard, ServerTransaction transaction, SipRequest request, Runnable again) {
        if (adoption.idle() || transaction.source().internal()) {
            return false;
        }
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
        return fate != Adoption.Fate.NOT_OURS;
    }

    /** Does the ACK wait, or is it dropped? Whoever sends it does so for each repeated 2xx. */
    public boolean ack(Shard shard, SipRequest ack, Hop from, Runnable again) {
        return !adoption.idle()
                && !from.internal()
                && adoption.take(
                                shard,
                                ack,
                                shard.place(from),
                                () -> inDialog.knows(shard, ack, from),
                                again)
                        != Adoption.Fate.NOT_OURS;
    }

    /** Does the response wait, which no transaction here has asked for? */
    public boolean response(Shard shard, SipResponse response, Hop from, Runnable again) {
        return !adoption.idle()
                && adoption.take(shard, response, shard.place(from), () -> false, again)
                        != Adoption.Fate.NOT_OURS;
    }
}
