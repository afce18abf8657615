package io.carillon.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Drives every machine into every state and gives it every event; what it does is printed to
 * docs/state-tables.md, which people read against the figures of the RFCs. The test fails when the
 * page is stale; {@code -Dcarillon.docs.write=true} writes it anew.
 */
class StateTablesTest {
    private static final TransactionTimers TIMERS = TransactionTimers.DEFAULT;

    /** How a machine is brought into a state. */
    private record Way<M>(String state, BiConsumer<Recorder, M> drive) {
        /** Without the remark behind it. */
        String name() {
            int space = state.indexOf(' ');
            return space < 0 ? state : state.substring(0, space);
        }
    }

    private record Event<M>(String name, BiConsumer<Recorder, M> happen) {}

    private record Machine<M extends Transaction>(
            String title,
            String figure,
            Function<Recorder, M> unreliable,
            Function<Recorder, M> reliable,
            List<Way<M>> states,
            List<Event<M>> events) {}

    @Test
    void everyStateAndEventDoesWhatThePageSays() throws IOException {
        StringBuilder page = new StringBuilder(PREFACE);
        print(page, inviteClient());
        print(page, nonInviteClient());
        print(page, inviteServer());
        print(page, nonInviteServer());
        Path file = docs().resolve("state-tables.md");
        if (Boolean.getBoolean("carillon.docs.write")) {
            Files.writeString(file, page, StandardCharsets.UTF_8);
        }
        assertThat(Files.readString(file, StandardCharsets.UTF_8))
                .as("docs/state-tables.md; run with -Dcarillon.docs.write=true to write it anew")
                .isEqualTo(page.toString());
    }

    @Test
    void noSequenceOfEventsIsIllegalAndEveryMachineWithoutOpenInviteEnds() {
        for (long seed = 1; seed <= 400; seed++) {
            anyEvents(inviteClient(), seed);
            anyEvents(nonInviteClient(), seed);
            anyEvents(inviteServer(), seed);
            anyEvents(nonInviteServer(), seed);
        }
    }

    private static <M extends Transaction> void anyEvents(Machine<M> machine, long seed) {
        Random random = new Random(seed);
        Recorder recorder = new Recorder();
        M m = (random.nextBoolean() ? machine.reliable() : machine.unreliable()).apply(recorder);
        machine.states().getFirst().drive().accept(recorder, m);
        for (int i = random.nextInt(30); i > 0; i--) {
            if (random.nextBoolean()) {
                Event<M> event = machine.events().get(random.nextInt(machine.events().size()));
                event.happen().accept(recorder, m);
            } else {
                recorder.runTo(recorder.now / Recorder.MILLIS + random.nextInt(6_000));
            }
        }
        recorder.runTo(recorder.now / Recorder.MILLIS + 64_001);
        if (!m.terminated()) {
            assertThat(m.invite() && m.stateName().equals("PROCEEDING"))
                    .as("seed %d: %s %s", seed, machine.title(), m.stateName())
                    .isTrue();
        }
        assertThat(recorder.wheel.size()).isZero();
    }

    private static final String PREFACE =
            """
            # State tables of the transactions

            Printed by `StateTablesTest`, which gives every event to every machine in every state. Columns are states, rows are events.
            "TU" is the layer above (the transaction user of the RFCs), "up" passes a message to it, "send" passes one to the transport, "count"
            counts a repetition,  "drop" refuses a response of the layer above, a dot is nothing at all. Times are those of
            the default T1 = 0.5 s, T2 = 4 s, T4 = 5 s.
            """;

    private static Machine<Recorder.InviteClient> inviteClient() {
        BiConsumer<Recorder, Recorder.InviteClient> start = (r, m) -> m.start(m.invite, r.now);
        return new Machine<>(
                "INVITE client transaction",
                "RFC 6026 figure 5; RFC 3261 section 17.1.1",
                r -> r.new InviteClient(TIMERS, false),
                r -> r.new InviteClient(TIMERS, true),
                List.of(
                        new Way<>("CALLING", start),
                        new Way<>(
                                "PROCEEDING",
                                start.andThen((r, m) ->
                                        m.receive(Samples.response(m.invite, 180), r.now))),
                        new Way<>(
                                "COMPLETED",
                                start.andThen((r, m) ->
                                        m.receive(Samples.response(m.invite, 486), r.now))),
                        new Way<>(
                                "ACCEPTED",
                                start.andThen((r, m) ->
                                        m.receive(Samples.response(m.invite, 200), r.now))),
                        new Way<>("TERMINATED", start.andThen((r, m) -> m.discard(r.now)))),
                List.of(
                        new Event<>(
                                "1xx", (r, m) -> m.receive(Samples.response(m.invite, 183), r.now)),
                        new Event<>(
                                "2xx", (r, m) -> m.receive(Samples.response(m.invite, 200), r.now)),
                        new Event<>(
                                "300-699",
                                (r, m) -> m.receive(Samples.response(m.invite, 404), r.now)),
                        new Event<>("Timer A", (r, m) -> m.retransmit(r.now)),
                        new Event<>(
                                "Timer B / D / M, the end of patience with ringing",
                                (r, m) -> m.timeout(r.now)),
                        new Event<>("transport error", (r, m) -> m.transportError(r.now)),
                        new Event<>("CANCEL sent", (r, m) -> m.cancelSent(r.now))));
    }

    private static Machine<Recorder.NonInviteClient> nonInviteClient() {
        BiConsumer<Recorder, Recorder.NonInviteClient> start = (r, m) -> m.start(m.request, r.now);
        return new Machine<>(
                "Non-INVITE client transaction",
                "RFC 3261 figure 6, section 17.1.2",
                r -> r.new NonInviteClient(TIMERS, false),
                r -> r.new NonInviteClient(TIMERS, true),
                List.of(
                        new Way<>("TRYING", start),
                        new Way<>(
                                "PROCEEDING",
                                start.andThen((r, m) ->
                                        m.receive(Samples.response(m.request, 100), r.now))),
                        new Way<>(
                                "COMPLETED",
                                start.andThen((r, m) ->
                                        m.receive(Samples.response(m.request, 200), r.now))),
                        new Way<>("TERMINATED", start.andThen((r, m) -> m.discard(r.now)))),
                List.of(
                        new Event<>(
                                "1xx",
                                (r, m) -> m.receive(Samples.response(m.request, 100), r.now)),
                        new Event<>(
                                "200-699",
                                (r, m) -> m.receive(Samples.response(m.request, 404), r.now)),
                        new Event<>("Timer E", (r, m) -> m.retransmit(r.now)),
                        new Event<>("Timer F / K", (r, m) -> m.timeout(r.now)),
                        new Event<>("transport error", (r, m) -> m.transportError(r.now))));
    }

    private static Machine<Recorder.InviteServer> inviteServer() {
        BiConsumer<Recorder, Recorder.InviteServer> start = (r, m) -> m.start(r.now);
        BiConsumer<Recorder, Recorder.InviteServer> busy =
                start.andThen((r, m) -> m.respond(Samples.response(m.invite, 486), r.now));
        return new Machine<>(
                "INVITE server transaction",
                "RFC 6026 figure 7; RFC 3261 section 17.2.1",
                r -> r.new InviteServer(TIMERS, false),
                r -> r.new InviteServer(TIMERS, true),
                List.of(
                        new Way<>("PROCEEDING before any response", start),
                        new Way<>(
                                "PROCEEDING after 180",
                                start.andThen((r, m) ->
                                        m.respond(Samples.response(m.invite, 180), r.now))),
                        new Way<>("COMPLETED", busy),
                        new Way<>(
                                "CONFIRMED",
                                busy.andThen(
                                        (r, m) -> m.receiveAck(Samples.request("ACK"), r.now))),
                        new Way<>(
                                "ACCEPTED",
                                start.andThen((r, m) ->
                                        m.respond(Samples.response(m.invite, 200), r.now))),
                        new Way<>("TERMINATED", start.andThen((r, m) -> m.discard(r.now)))),
                List.of(
                        new Event<>("INVITE again", (r, m) -> m.retransmission(r.now)),
                        new Event<>("ACK", (r, m) -> m.receiveAck(Samples.request("ACK"), r.now)),
                        new Event<>(
                                "1xx from TU",
                                (r, m) -> m.respond(Samples.response(m.invite, 183), r.now)),
                        new Event<>(
                                "2xx from TU",
                                (r, m) -> m.respond(Samples.response(m.invite, 200), r.now)),
                        new Event<>(
                                "300-699 from TU",
                                (r, m) -> m.respond(Samples.response(m.invite, 404), r.now)),
                        new Event<>("Timer G", (r, m) -> m.retransmit(r.now)),
                        new Event<>("200 ms / Timer H / I / L", (r, m) -> m.timeout(r.now)),
                        new Event<>("transport error", (r, m) -> m.transportError(r.now))));
    }

    private static Machine<Recorder.NonInviteServer> nonInviteServer() {
        BiConsumer<Recorder, Recorder.NonInviteServer> start = (r, m) -> m.start(r.now);
        return new Machine<>(
                "Non-INVITE server transaction",
                "RFC 3261 figure 8, section 17.2.2; RFC 4320",
                r -> r.new NonInviteServer(TIMERS, false),
                r -> r.new NonInviteServer(TIMERS, true),
                List.of(
                        new Way<>("TRYING", start),
                        new Way<>("PROCEEDING", start.andThen((r, m) -> m.retransmit(r.now))),
                        new Way<>(
                                "COMPLETED",
                                start.andThen((r, m) ->
                                        m.respond(Samples.response(m.request, 200), r.now))),
                        new Way<>("TERMINATED", start.andThen((r, m) -> m.discard(r.now)))),
                List.of(
                        new Event<>("request again", (r, m) -> m.retransmission(r.now)),
                        new Event<>(
                                "100 from TU",
                                (r, m) -> m.respond(Samples.response(m.request, 100), r.now)),
                        new Event<>(
                                "101-199 from TU",
                                (r, m) -> m.respond(Samples.response(m.request, 183), r.now)),
                        new Event<>(
                                "408 from TU",
                                (r, m) -> m.respond(Samples.response(m.request, 408), r.now)),
                        new Event<>(
                                "200-699 from TU",
                                (r, m) -> m.respond(Samples.response(m.request, 404), r.now)),
                        new Event<>("Timer E would be T2 (3.5 s)", (r, m) -> m.retransmit(r.now)),
                        new Event<>("64*T1 without final / Timer J", (r, m) -> m.timeout(r.now)),
                        new Event<>("transport error", (r, m) -> m.transportError(r.now))));
    }

    private static <M extends Transaction> void print(StringBuilder page, Machine<M> machine) {
        page.append("\n## ")
                .append(machine.title())
                .append("\n")
                .append(machine.figure())
                .append("\n");
        print(page, machine, "Unreliable transport (UDP)", machine.unreliable());
        print(page, machine, "Reliable transport (TCP, TLS, WebSocket)", machine.reliable());
    }

    private static <M extends Transaction> void print(
            StringBuilder page, Machine<M> machine, String transport, Function<Recorder, M> maker) {
        page.append("\n### ").append(transport).append("\n\n| Event |");
        List<Way<M>> reached = new ArrayList<>();
        for (Way<M> way : machine.states()) {
            Recorder recorder = new Recorder();
            M m = maker.apply(recorder);
            way.drive().accept(recorder, m);
            // With a reliable transport Completed and Confirmed may have no length: they cannot be
            // stood in.
            if (m.stateName().equals(way.name())) {
                reached.add(way);
            }
        }
        reached.forEach(way -> page.append(' ').append(way.state()).append(" |"));
        page.append("\n| --- |")
                .append(" --- |".repeat(reached.size()))
                .append("\n| *timers running* |");
        for (Way<M> way : reached) {
            Recorder recorder = new Recorder();
            M m = maker.apply(recorder);
            way.drive().accept(recorder, m);
            page.append(' ').append(timers(m)).append(" |");
        }
        page.append('\n');
        for (Event<M> event : machine.events()) {
            page.append("| ").append(event.name()).append(" |");
            for (Way<M> way : reached) {
                page.append(' ').append(cell(maker, way, event)).append(" |");
            }
            page.append('\n');
        }
    }

    private static <M extends Transaction> String cell(
            Function<Recorder, M> maker, Way<M> way, Event<M> event) {
        Recorder recorder = new Recorder();
        M m = maker.apply(recorder);
        way.drive().accept(recorder, m);
        recorder.take();
        String timersBefore = timers(m);
        event.happen().accept(recorder, m);
        List<String> parts = new ArrayList<>(recorder.take());
        if (!m.stateName().equals(way.name())) {
            parts.add("**" + m.stateName() + "**");
        } else if (!timers(m).equals(timersBefore)) {
            parts.add("timers: " + timers(m));
        }
        return parts.isEmpty() ? "·" : String.join(", ", parts);
    }

    private static String timers(Transaction m) {
        List<String> parts = new ArrayList<>();
        if (m.retransmitAtNanos() != Transaction.NEVER) {
            parts.add("again in " + seconds(m.retransmitAtNanos()));
        }
        if (m.timeoutAtNanos() != Transaction.NEVER) {
            parts.add("end in " + seconds(m.timeoutAtNanos()));
        }
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    private static String seconds(long nanos) {
        long millis = nanos / 1_000_000;
        return millis % 1000 == 0
                ? millis / 1000 + " s"
                : millis / 1000 + "." + millis % 1000 / 100 + " s";
    }

    private static Path docs() {
        Path here = Path.of("").toAbsolutePath();
        for (Path p = here; p != null; p = p.getParent()) {
            if (Files.isDirectory(p.resolve("docs")) && Files.isDirectory(p.resolve("sip"))) {
                return p.resolve("docs");
            }
        }
        throw new IllegalStateException("no docs above " + here);
    }
}
