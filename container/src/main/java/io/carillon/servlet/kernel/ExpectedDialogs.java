package io.carillon.servlet.kernel;

import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.Shard;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Dialogs that responses to one INVITE of ours may begin while they wait for the turn. Whoever
 * answers makes up as many tags as he likes while a handler is at work: of provisional responses no
 * more begin dialogs than may fork. How many 2xx wait is bounded by the stack.
 *
 * <p>Any thread.
 */
final class ExpectedDialogs {
    private final AtomicInteger open = new AtomicInteger();

    private ExpectedDialogs() {}

    static ExpectedDialogs of(@Nullable ExpectedDialogs known) {
        return known == null ? new ExpectedDialogs() : known;
    }

    /** May one more response begin a dialog? On the shard. */
    boolean mayBegin(SipResponse response, Shard shard) {
        return response.status() >= 200 || open.get() < shard.config().forks();
    }

    /**
     * One that may has begun that dialog; null where it was known.
     *
     * @return the same
     */
    @Nullable DialogKey begun(@Nullable DialogKey dialog) {
        if (dialog != null) {
            open.incrementAndGet();
        }
        return dialog;
    }

    /** It waits no longer. */
    void over() {
        open.decrementAndGet();
    }
}
