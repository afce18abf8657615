package io.carillon.net.link;

import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.NodeLink;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.hop.Hop;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks routers by which connection a name under {@code .invalid} is reached (RFC 7118 B.1). The
 * names themselves are where their connections are, and end with them. Questions are few at a time,
 * and each ends when all living routers have answered, or after a moment.
 *
 * <p>Owner: one loop.
 */
final class FlowNames {
    private static final int MOST_QUESTIONS = 1024;

    /** A router that lives answers within a millisecond. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ShardLoop loop;
    private final NodeLink link;
    private final Map<Long, Question> open = new HashMap<>();
    private long last;

    private static final class Question {
        final Consumer<@Nullable Hop> asker;
        int unanswered;
        @Nullable Hop best;
        @Nullable Future<?> end;

        Question(Consumer<@Nullable Hop> asker) {
            this.asker = asker;
        }
    }

    FlowNames(ShardLoop loop, NodeLink link) {
        this.loop = loop;
        this.link = link;
    }

    /** Tells who is reached by a name; null for nobody, at once when no router lives. */
    void find(String name, Consumer<@Nullable Hop> asker) {
        if (open.size() >= MOST_QUESTIONS) {
            asker.accept(null);
            return;
        }
        long number = ++last;
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        int asked = link.find(text, number, loop.nowNanos());
        if (asked == 0) {
            asker.accept(null);
            return;
        }
        Question question = new Question(asker);
        question.unanswered = asked;
        open.put(number, question);
        question.end =
                loop.schedule(
                        () -> {
                            loop.begin();
                            end(number);
                        },
                        PATIENCE_NANOS);
    }

    /**
     * A router has answered.
     *
     * @param hop null when it knows nobody of that name
     */
    void found(LinkMessage answer, @Nullable Hop hop) {
        Question question = open.get(answer.number());
        if (question == null) {
            return; // too late
        }
        if (hop != null) {
            question.best = hop;
        }
        question.unanswered--;
        if (question.unanswered == 0 || hop != null) {
            end(answer.number());
        }
    }

    private void end(long number) {
        Question question = open.remove(number);
        if (question == null) {
            return;
        }
        Future<?> timer = question.end;
        if (timer != null) {
            timer.cancel(false);
        }
        question.asker.accept(question.best);
    }
}
