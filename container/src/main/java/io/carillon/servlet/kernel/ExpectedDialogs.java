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

    /**
     * On the shard.
     *
     * @return what {@link DialogLife#expect} says; null where it is one too many
     */
    @Nullable DialogKey begunBy(SipResponse response, ServletSession session, Shard shard) {
        if (response.status() < 200 && open.get() >= shard.config().forks()) {
            return null;
        }
        DialogKey begun = DialogLife.expect(session, response);
        if (begun != null) {
            open.incrementAndGet();
        }
        return begun;
    }

    /** The response waits no longer. */
    void over(DialogKey begun, ServletSession session) {
        open.decrementAndGet();
        DialogLife.expected(session, begun);
    }
}
