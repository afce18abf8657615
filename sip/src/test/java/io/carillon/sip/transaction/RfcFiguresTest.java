package io.carillon.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.transaction.Machines.Event;
import io.carillon.sip.transaction.Machines.Machine;
import io.carillon.sip.transaction.Machines.Way;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Each arrow of the RFCs' figures is taken, and what no arrow allows does not happen: no message
 * leaves, none goes up, no state changes.
 */
class RfcFiguresTest {
    /** What is done where the figures have no arrow; the state stays. */
    private static final Map<String, String> BESIDES =
            Map.of(
                    // RFC 3261 16.6 step 11: Timer C bounds an INVITE that only rings; the layer
                    // above decides.
                    "INVITE client transaction, PROCEEDING, Timer B",
                    "rang too long",
                    // Figure 7 has this arrow for Completed alone: the TU hears of it later too.
                    "INVITE server transaction, CONFIRMED, transport error",
                    "inform TU");

    private final Set<RfcFigures.Arrow> taken = new HashSet<>();
    private final Set<String> states = new HashSet<>();

    @Test
    void inviteClientDoesWhatFigure5OfRfc6026Shows() {
        check(Machines.inviteClient());
    }

    @Test
    void nonInviteClientDoesWhatFigure6OfRfc3261Shows() {
        check(Machines.nonInviteClient());
    }

    @Test
    void inviteServerDoesWhatFigure7OfRfc6026Shows() {
        check(Machines.inviteServer());
    }

    @Test
    void nonInviteServerDoesWhatFigure8OfRfc3261AndRfc4320Show() {
        check(Machines.nonInviteServer());
    }

    private <M extends Transaction> void check(Machine<M> machine) {
        check(machine, machine.unreliable(), RfcFigures.arrows(machine.title(), false), "UDP");
        check(machine, machine.reliable(), RfcFigures.arrows(machine.title(), true), "TCP");
    }

    private <M extends Transaction> void check(
            Machine<M> machine,
            Function<Recorder, M> maker,
            List<RfcFigures.Arrow> figure,
            String transport) {
        taken.clear();
        states.clear();
        for (Way<M> way : machine.states()) {
            Recorder recorder = new Recorder();
            M m = maker.apply(recorder);
            way.drive().accept(recorder, m);
            // With a reliable transport Completed and Confirmed may have no length.
            if (m.stateName().equals(way.name())) {
                states.add(way.name());
                for (Event<M> event : machine.events()) {
                    check(machine.title(), maker, way, event, figure, transport);
                }
            }
        }
        List<RfcFigures.Arrow> standing =
                figure.stream()
                        .filter(arrow -> states.contains(arrow.state().split(" ")[0]))
                        .toList();
        assertThat(taken).as(machine.title()).containsExactlyInAnyOrderElementsOf(standing);
        assertThat(states)
                .as(machine.title())
                .hasSizeGreaterThanOrEqualTo(transport.equals("UDP") ? 4 : 3);
    }

    private <M extends Transaction> void check(
            String title,
            Function<Recorder, M> maker,
            Way<M> way,
            Event<M> event,
            List<RfcFigures.Arrow> figure,
            String transport) {
        Recorder recorder = new Recorder();
        M m = maker.apply(recorder);
        way.drive().accept(recorder, m);
        recorder.take();
        event.happen().accept(recorder, m);
        List<String> did =
                recorder.take().stream()
                        .map(RfcFiguresTest::inRfcWords)
                        .filter(word -> !word.isEmpty())
                        .toList();
        String where = title + ", " + way.state() + ", " + event.name();
        List<RfcFigures.Arrow> arrows =
                figure.stream()
                        .filter(arrow -> List.of(way.name(), way.state()).contains(arrow.state()))
                        .filter(arrow -> means(event.name(), arrow.event()))
                        .toList();
        assertThat(arrows).as(where).hasSizeLessThanOrEqualTo(1);
        if (arrows.isEmpty()) {
            assertThat(String.join(", ", did))
                    .as(where + ", " + transport + ": no arrow of the figure")
                    .isEqualTo(besides(where));
            assertThat(m.stateName()).as(where).isEqualTo(way.name());
            return;
        }
        RfcFigures.Arrow arrow = arrows.getFirst();
        taken.add(arrow);
        assertThat(did).as(where + ", " + transport).containsExactlyElementsOf(arrow.actions());
        assertThat(m.stateName())
                .as(where + ", " + transport)
                .isEqualTo(transport.equals("TCP") ? arrow.reliableNext() : arrow.next());
    }

    private static String besides(String where) {
        return BESIDES.entrySet().stream()
                .filter(known -> where.startsWith(known.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** A row of the page may name several timers, of which one runs in each state. */
    private static boolean means(String event, String arrow) {
        if (arrow.matches("Timer [A-Z]")) {
            char letter = arrow.charAt(arrow.length() - 1);
            return event.matches(".*Timer (. / )*" + letter + "( /.*|,.*|)");
        }
        return event.equals(arrow) || event.startsWith(arrow + " ");
    }

    /** Empty for what no figure shows: counting, and what is dropped. */
    private static String inRfcWords(String output) {
        String[] words = output.split(" ");
        String last = words[words.length - 1];
        return switch (words[0]) {
            case "up" -> last.equals("ACK") ? "ACK to TU" : "resp. to TU";
            case "send" -> sent(last);
            case "timeout", "error", "failure", "expired" -> "inform TU";
            case "count", "drop", "stray" -> "";
            default -> output;
        };
    }

    private static String sent(String what) {
        return switch (what) {
            case "ACK", "INVITE" -> what + " sent";
            case "OPTIONS" -> "request sent";
            default -> "response sent";
        };
    }
}
