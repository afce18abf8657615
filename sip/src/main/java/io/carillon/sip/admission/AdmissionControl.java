package io.carillon.sip.admission;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one decision whether a request may begin a transaction. Requests that begin something have
 * the least room, what belongs to a dialog has more, what ends a call most ({@link Room}).
 *
 * <p>Owner: the shard's thread. A refusal is a value made once, so that a flood costs no more of
 * them.
 */
public final class AdmissionControl {
    private static final Admission SCANNER = new Admission.Dropped(Counter.SCANNERS_DROPPED);

    private final Capacity capacity;
    private final IntSupplier transactions;
    private final OpenBytes bytes;
    private final SourceShares shares;
    private final @Nullable PeerConduct conduct;
    private final Admission full;
    private final Admission noBytes;
    private final Admission noBytesForLarge;
    private final Admission shareTaken;

    /** For every new initial request, while the server wants none. */
    private @Nullable Admission closed;

    /**
     * @param transactions how many there are now
     */
    public AdmissionControl(
            Capacity capacity,
            IntSupplier transactions,
            OpenBytes bytes,
            SourceShares shares,
            @Nullable PeerConduct conduct) {
        this.capacity = capacity;
        this.transactions = transactions;
        this.bytes = bytes;
        this.shares = shares;
        this.conduct = conduct;
        this.full = refusal(Counter.REFUSED_FULL);
        this.noBytes = refusal(Counter.REFUSED_REQUEST_HEAP);
        this.noBytesForLarge = refusal(Counter.REFUSED_LARGE);
        this.shareTaken = refusal(Counter.REFUSED_SHARE);
    }

    // 21.5.4: "The server is temporarily unable to process the request due to a temporary
    // overloading".
    private Admission refusal(Counter why) {
        return new Admission.Refused(why, 503, capacity.retryAfterSeconds());
    }

    /**
     * Refuses new initial requests from now on; requests in dialogs go on.
     *
     * @param status 503 as a rule, 0 to accept again
     * @param retryAfterSeconds 0 for no Retry-After
     */
    public void refuseNew(int status, int retryAfterSeconds) {
        closed =
                status == 0
                        ? null
                        : new Admission.Refused(Counter.REFUSED, status, retryAfterSeconds);
    }

    /**
     * Decides about a request that belongs to no transaction yet.
     *
     * @param from its hop, with what it is a copy of beside it
     * @param nowNanos the time, of the executor's clock
     */
    public Admission decide(SipRequest request, Hop from, long nowNanos) {
        if (transactions.getAsInt() >= capacity.hardLimit()) {
            return full;
        }
        Admission anyKind = within(room(request.method()), request, from);
        if (anyKind != Admission.ACCEPTED || !initial(request, from)) {
            return anyKind;
        }
        if (conduct != null && !conduct.admits(request, from.initial(), nowNanos)) {
            return SCANNER;
        }
        Admission none = closed;
        if (none != null) {
            return none;
        }
        return transactions.getAsInt() >= capacity.maxTransactions()
                ? full
                : within(Room.NEW, request, from);
    }

    /**
     * Does it begin something? What comes over an internal hop belongs to a call that was let in,
     * and one application may fork to another of the same process.
     */
    public static boolean initial(SipRequest request, Hop from) {
        return !request.is(Methods.CANCEL) && request.toTag() == null && !from.internal();
    }

    /** What ends a call has room above everything else: it frees some. */
    private static Room room(String method) {
        boolean ends = method.equals(Methods.BYE) || method.equals(Methods.CANCEL);
        return ends ? Room.RESERVED : Room.DIALOG;
    }

    private Admission within(Room room, SipRequest request, Hop from) {
        int size = request.bytes().length;
        if (bytes.full(from, room, size)) {
            return bytes.fullOfLarge(from, room, size) ? noBytesForLarge : noBytes;
        }
        // Does its sender hold what one may, where more than half is taken?
        return bytes.holdsShare(from, room, size)
                        || shares.fullOfTransactions(from, room, transactions.getAsInt())
                ? shareTaken
                : Admission.ACCEPTED;
    }
}
