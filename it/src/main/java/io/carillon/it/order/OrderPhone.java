package io.carillon.it.order;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A phone with many calls on one socket: of each call so many requests are on their way at a time,
 * and what the cluster asks is answered. Owner: the thread that runs it.
 */
final class OrderPhone implements Callable<@Nullable Void> {
    /** What was not answered for so long is lost. */
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int LOOK_EVERY = 64;

    private final Way way;
    private final int phones;
    private final List<OrderedCall> calls;
    private final int window;
    private final BooleanSupplier over;
    private final NumberedText[] requests;
    private final int[] sent;
    private final int[] answered;
    private final int[] before;
    private final Track answers;
    private final Track asked;
    private final String transport;
    private final byte[] heard = new byte[65_536];
    private boolean ends;

    /**
     * @param phones how many there are; each has the calls whose index leaves its own number
     * @param window requests of a call that are on their way at a time
     * @param over is it time to end?
     */
    OrderPhone(
            Way way,
            int phone,
            int phones,
            OrderedCluster cluster,
            int window,
            OrderCounts counts,
            BooleanSupplier over) {
        this.way = way;
        this.phones = phones;
        this.calls =
                cluster.calls().stream().filter(call -> call.index() % phones == phone).toList();
        this.window = window;
        this.over = over;
        this.requests =
                calls.stream()
                        .map(call -> new NumberedText(call, way.via(), call.phoneTag(), call.tag()))
                        .toArray(NumberedText[]::new);
        this.sent = new int[calls.size()];
        this.answered = new int[calls.size()];
        this.before = new int[calls.size()];
        this.answers = new Track(cluster.calls().size(), counts, "answers to phones");
        this.asked = new Track(cluster.calls().size(), counts, "requests to phones");
        this.transport = way.via().substring(0, way.via().indexOf(' '));
    }

    @Override
    public @Nullable Void call() throws IOException {
        for (int i = 0; i < calls.size(); i++) {
            fill(i);
        }
        long looked = System.nanoTime();
        for (int count = 0; !ends; count++) {
            int length = way.receive(heard);
            if (length > 0) {
                take(length);
            }
            if (length == 0 || count % LOOK_EVERY == 0) {
                ends = over.getAsBoolean();
                long now = System.nanoTime();
                if (now - looked > STALLED_NANOS) {
                    looked = now;
                    goOn();
                }
            }
        }
        // What is still on its way counts too.
        for (int length = way.receive(heard); length > 0; length = way.receive(heard)) {
            take(length);
        }
        return null;
    }

    private void take(int length) throws IOException {
        int index = NumberedText.call(heard, length);
        int number = NumberedText.number(heard, length);
        int slot = index / phones;
        if (index < 0 || slot >= calls.size() || calls.get(slot).index() != index || number < 1) {
            throw new IOException("the phone heard what is not its own");
        }
        if (NumberedText.isResponse(heard, length)) {
            answers.came(index, number, transport);
            answered[slot] = Math.max(answered[slot], number);
            fill(slot);
        } else {
            asked.came(index, number, transport);
            byte[] ok = NumberedText.ok(heard, length);
            way.send(ok, ok.length);
        }
    }

    private void fill(int slot) throws IOException {
        while (!ends && sent[slot] - answered[slot] < window) {
            byte[] request = requests[slot].numbered(++sent[slot]);
            way.send(request, request.length);
        }
    }

    /** Calls in which nothing has moved since the last look have lost what was on its way. */
    private void goOn() throws IOException {
        for (int i = 0; i < sent.length; i++) {
            if (answered[i] == before[i]) {
                answered[i] = sent[i];
                fill(i);
            }
            before[i] = answered[i];
        }
    }
}
