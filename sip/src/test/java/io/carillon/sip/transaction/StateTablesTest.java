package io.carillon.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.stack.RequestStatesTest;
import io.carillon.sip.stack.RfcTable;
import io.carillon.sip.transaction.Machines.Event;
import io.carillon.sip.transaction.Machines.Machine;
import io.carillon.sip.transaction.Machines.Way;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Drives every machine into every state and gives it every event; what it does is printed to
 * docs/reference/state-tables.md, which people read. The test fails when the page is stale; {@link
 * RfcFiguresTest} says whether what the machines do is right; {@code -Dcarillon.docs.write=true}
 * writes it anew.
 */
class StateTablesTest {
    @Test
    void everyStateAndEventDoesWhatThePageSays() throws IOException {
        StringBuilder page = new StringBuilder(PREFACE);
        print(page, Machines.inviteClient());
        print(page, Machines.nonInviteClient());
        print(page, Machines.inviteServer());
        print(page, Machines.nonInviteServer());
        RfcTable.compare("", RequestStatesTest.FIRST_LINE, page.toString());
    }

    @Test
    void noSequenceOfEventsIsIllegalAndEveryMachineWithoutOpenInviteEnds() {
        for (long seed = 1; seed <= 400; seed++) {
            anyEvents(Machines.inviteClient(), seed);
            anyEvents(Machines.nonInviteClient(), seed);
            anyEvents(Machines.inviteServer(), seed);
            anyEvents(Machines.nonInviteServer(), seed);
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
            "TU" is the layer above (the transaction user of the RFCs), "up" passes a message to it, "send" passes one to the transport.
            "Count" counts a repetition, "drop" refuses a response of the layer above, a dot is nothing at all. Times are those of
            the default T1 = 0.5 s, T2 = 4 s, T4 = 5 s.
            """;

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
}
