package io.carillon.servlet.kernel;

import io.carillon.servlet.turn.Turn;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.admission.Room;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import org.jspecify.annotations.Nullable;

/**
 * Responses to one request of ours that came while the turn of its call was busy. What they hold is
 * counted among the messages that wait. Owner: the shard of the request.
 */
final class WaitingResponses {
    private final Owner owner;

    /** May they begin dialogs, as those to a first INVITE? */
    private final boolean begins;

    /** Whose responses these are. */
    interface Owner {
        /** On the shard: the response may begin that dialog; null when it is known. */
        @Nullable DialogKey expect(SipResponse response);

        /** In the turn: it has been processed. */
        void expected(DialogKey key);

        /** In the turn. */
        void process(SipResponse response);

        /** As if that had been the answer. In the turn. */
        void process(int status, String why);
    }

    /** The last provisional one. Set by the shard, taken by the turn. */
    private volatile @Nullable SipResponse provisional;

    /** Of those that may begin one. */
    private @Nullable ExpectedDialogs expected;

    WaitingResponses(Owner owner, boolean begins) {
        this.owner = owner;
        this.begins = begins;
    }

    private final class Received extends TurnTask {
        private final SipResponse response;

        /** Of the dialog that it may begin; null where it is known, or begins none. */
        private @Nullable DialogKey begun;

        Received(SipResponse response) {
            super(response);
            this.response = response;
        }

        /** On the shard. */
        Received expect(Shard shard) {
            if (begins) {
                ExpectedDialogs all = ExpectedDialogs.of(expected);
                expected = all;
                boolean may = all.mayBegin(response, shard);
                begun = all.begun(may ? owner.expect(response) : null);
            }
            return this;
        }

        void expected() {
            DialogKey key = begun;
            if (key != null && expected != null) {
                expected.over();
                owner.expected(key);
            }
        }

        @Override
        protected void run() {
            if (provisional == response) {
                provisional = null;
            }
            try {
                owner.process(response);
            } finally {
                expected();
            }
        }
    }

    /**
     * One more. A provisional response may be lost (RFC 3261 17.1.1.2, "any further provisional
     * responses"); for a 2xx to INVITE there is room by {@link UacTransaction#hasRoom}; any other
     * final response ends a request of ours, so without room its end is told all the same.
     */
    void add(RequestAttempt from, Turn parent, SipResponse response) {
        int status = response.status();
        if (status < 200) {
            SipResponse before = provisional;
            if (before != null && before.repeats(response)) {
                from.shard().notQueued(Counter.REPEATS_NOT_QUEUED, response);
                return;
            }
            provisional = response;
            Received task = new Received(response).expect(from.shard());
            if (!parent.offer(task, Room.DIALOG)) {
                provisional = null;
                task.expected();
                from.shard().notQueued(Counter.MESSAGES_NOT_QUEUED, response);
            }
        } else if (status < 300 && response.cseqMethod().equals(Methods.INVITE)) {
            parent.submit(new Received(response).expect(from.shard()));
        } else if (!parent.offer(new Received(response), Room.RESERVED)) {
            from.shard().notQueued(Counter.FINALS_NOT_QUEUED, response);
            parent.submit(
                    TurnTask.of(
                            () -> owner.process(503, "the response was too much for the server")));
        }
    }
}
