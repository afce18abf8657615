package io.carillon.sip.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.admission.Admission;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.transaction.TransactionTable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a server that sheds gets done, in virtual time: requests come at random, each of those that
 * are let in costs a fixed time, each refusal a part of it ({@link #REFUSAL_PARTS}). Callers who
 * are refused call once more after 2 to 10 s. Done is what began within 200 ms.
 */
class OverloadModelTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final long PATIENCE = 200 * MILLI;

    /** As of a handler that computes for some milliseconds. */
    private static final int REFUSAL_PARTS = 200;

    /** Where requests wait. */
    enum Bottleneck {
        /** Before they are decided about, with the refusals between them. */
        SOCKET,
        /** Behind the decision, for the handler. */
        HANDLER
    }

    /** A server of one thread, and those who call it. */
    static final class Model {
        final OverloadControl control =
                new OverloadControl(
                        OverloadConfig.DEFAULT,
                        new KnownRequests(
                                new TransactionTable(),
                                new TransactionTable(),
                                OwnTokens.ofNode(0),
                                0),
                        new Vouchers(null, null),
                        OwnTokens.ofNode(0),
                        0,
                        4711,
                        0);
        final SplittableRandom random;
        final Bottleneck where;
        final double capacity;
        final long serviceNanos;
        final ArrayDeque<long[]> waiting = new ArrayDeque<>();
        final PriorityQueue<long[]> redials =
                new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));

        /** By source: what came, and what began in time. */
        final long[] came = new long[2];

        final long[] done = new long[2];
        final long[] doneIn;
        long refused;
        long freeAt;
        long now;
        int number;

        Model(Bottleneck where, double capacity, int seconds, long seed) {
            this.where = where;
            this.capacity = capacity;
            this.serviceNanos = (long) (SECOND / capacity);
            this.random = new SplittableRandom(seed);
            this.doneIn = new long[seconds];
        }

        /** As after some hours. */
        Model warm() {
            for (int i = 0; i < AdmissionRate.KNOWN_AFTER; i++) {
                control.began();
            }
            return this;
        }

        /**
         * @param rates of source 0 and 1 at a time in seconds, as a part of the capacity
         */
        Model run(DoubleUnaryOperator... rates) {
            long end = doneIn.length * SECOND;
            long[] next = new long[rates.length];
            for (int i = 0; i < rates.length; i++) {
                next[i] = gap(rates[i]);
            }
            while (now < end) {
                long redial = redials.isEmpty() ? Long.MAX_VALUE : redials.peek()[0];
                int first = rates.length == 2 && next[1] < next[0] ? 1 : 0;
                now = Math.min(redial, next[first]);
                serve(now);
                if (now == redial) {
                    arrives(1, (int) redials.remove()[1]);
                } else {
                    came[first]++;
                    arrives(0, first);
                    next[first] = now + gap(rates[first]);
                }
            }
            return this;
        }

        private long gap(DoubleUnaryOperator rate) {
            double perSecond = Math.max(1e-3, rate.applyAsDouble(now / 1e9)) * capacity;
            return Math.max(1, (long) (-Math.log(1 - random.nextDouble()) / perSecond * SECOND));
        }

        private void arrives(int attempt, int source) {
            long[] call = {now, attempt, source};
            if (where == Bottleneck.HANDLER) {
                decide(call, now);
            } else {
                waiting.add(call);
            }
            serve(now);
        }

        /** Works until then. */
        private void serve(long until) {
            while (!waiting.isEmpty()) {
                long begins = Math.max(freeAt, waiting.peek()[0]);
                if (begins > until) {
                    control.delay().waited(place(), until - waiting.peek()[0]);
                    control.advance(until);
                    return;
                }
                long[] call = waiting.remove();
                control.delay().waited(place(), begins - call[0]);
                control.advance(begins);
                boolean let = where == Bottleneck.HANDLER || decide(call, begins);
                freeAt = begins + (let ? serviceNanos : serviceNanos / REFUSAL_PARTS);
                if (let && begins - call[0] <= PATIENCE) {
                    done[(int) call[2]]++;
                    int second = (int) (begins / SECOND);
                    if (second < doneIn.length) {
                        doneIn[second]++;
                    }
                }
            }
            control.advance(until);
        }

        private Waiting place() {
            return where == Bottleneck.HANDLER ? Waiting.HANDLER : Waiting.SOCKET;
        }

        private boolean decide(long[] call, long at) {
            byte[] invite = invite(number++);
            control.advance(at);
            if (!control.watches()
                    || control.decide(invite, invite.length, hop((int) call[2]), at)
                            == Admission.ACCEPTED) {
                control.began();
                if (where == Bottleneck.HANDLER) {
                    waiting.add(call);
                }
                return true;
            }
            refused++;
            freeAt += where == Bottleneck.HANDLER ? serviceNanos / REFUSAL_PARTS : 0;
            if (call[1] == 0) {
                redials.add(new long[] {at + 2 * SECOND + random.nextLong(8 * SECOND), call[2]});
            }
            return false;
        }

        /** Of the capacity, what was done in these seconds. */
        double goodput(int from, int to) {
            long sum = 0;
            for (int i = from; i < to; i++) {
                sum += doneIn[i];
            }
            return sum / capacity / (to - from);
        }
    }

    private static Hop hop(int source) {
        return new Hop(
                Transport.UDP,
                null,
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2." + (1 + source)), 5060),
                0);
    }

    private static byte[] invite(int number) {
        return ("INVITE sip:bob@example.com SIP/2.0\r\n"
                        + "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK"
                        + number
                        + "\r\nFrom: <sip:a@example.com>;tag=1\r\nTo: <sip:b@example.com>\r\n"
                        + "Call-ID: "
                        + number
                        + "\r\nCSeq: 1 INVITE\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @CsvSource({
        "SOCKET, 2, 0.95",
        "SOCKET, 5, 0.90",
        "SOCKET, 10, 0.85",
        "HANDLER, 2, 0.95",
        "HANDLER, 5, 0.90",
        "HANDLER, 10, 0.85"
    })
    void aServerGetsItsCapacityDoneWhateverIsAsked(Bottleneck where, double factor, double least) {
        Model model = new Model(where, 1_000, 60, 1).run(t -> factor);

        // From the third second on: a server that has just begun learns what it can do.
        assertThat(model.goodput(2, 60)).isGreaterThan(least);
        for (int second = 2; second < 55; second++) {
            assertThat(model.goodput(second, second + 5)).as("from %s", second).isGreaterThan(0.7);
        }
    }

    @ParameterizedTest
    @CsvSource({"SOCKET", "HANDLER"})
    void nothingIsRefusedBelowTheCapacity(Bottleneck where) {
        Model model = new Model(where, 1_000, 60, 2).warm().run(t -> 0.8);

        assertThat(model.refused).isZero();
    }

    @ParameterizedTest
    @CsvSource({"SOCKET", "HANDLER"})
    void aBurstThatIsSoonWorkedOffIsNoOverload(Bottleneck where) {
        Model model = new Model(where, 1_000, 20, 3).warm();
        model.run(t -> t > 10 && t < 10.01 ? 4 : 0.5);

        assertThat(model.refused).isZero();
    }

    @ParameterizedTest
    @CsvSource({"SOCKET", "HANDLER"})
    void stepsOfLoadNeitherStopItNorLeaveItRefusing(Bottleneck where) {
        Model model = new Model(where, 1_000, 90, 4);
        model.run(t -> t < 10 ? 0.5 : t < 30 ? 10 : t < 50 ? 0.5 : t < 70 ? 3 : 0.4);

        for (int second : new int[] {11, 15, 20, 25, 51, 55, 60, 65}) {
            assertThat(model.goodput(second, second + 5)).as("from %s", second).isGreaterThan(0.7);
        }
        // 10 s after the load has fallen: all who call are served.
        assertThat(model.goodput(41, 49)).isBetween(0.45, 0.80); // with those who call again
        assertThat(model.goodput(82, 89)).isBetween(0.36, 0.50);
        assertThat(model.control.state().shedding()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"SOCKET", "HANDLER"})
    void aSourceThatAsksForLittleIsServedBesideOneThatAsksForMuch(Bottleneck where) {
        Model model = new Model(where, 1_000, 60, 5).run(t -> 0.1, t -> 10);

        assertThat((double) model.done[0] / model.came[0]).isGreaterThan(0.95);
        assertThat(model.goodput(2, 60)).isGreaterThan(0.85);
    }
}
