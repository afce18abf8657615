package io.carillon.sip.transaction;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The four machines, with the ways into their states and the events that may happen in each. */
final class Machines {
    private static final TransactionTimers TIMERS = TransactionTimers.DEFAULT;

    /** How a machine is brought into a state. */
    record Way<M>(String state, BiConsumer<Recorder, M> drive) {
        /** Without the remark behind it. */
        String name() {
            int space = state.indexOf(' ');
            return space < 0 ? state : state.substring(0, space);
        }
    }

    record Event<M>(String name, BiConsumer<Recorder, M> happen) {}

    record Machine<M extends Transaction>(
            String title,
            String figure,
            Function<Recorder, M> unreliable,
            Function<Recorder, M> reliable,
            List<Way<M>> states,
            List<Event<M>> events) {}

    private Machines() {}

    static Machine<Recorder.InviteClient> inviteClient() {
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

    static Machine<Recorder.NonInviteClient> nonInviteClient() {
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

    static Machine<Recorder.InviteServer> inviteServer() {
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
                        new Way<>("CONFIRMED", busy.andThen((r, m) -> r.receiveAck(m))),
                        new Way<>(
                                "ACCEPTED",
                                start.andThen((r, m) ->
                                        m.respond(Samples.response(m.invite, 200), r.now))),
                        new Way<>("TERMINATED", start.andThen((r, m) -> m.discard(r.now)))),
                List.of(
                        new Event<>("INVITE again", (r, m) -> m.retransmission(r.now)),
                        new Event<>("ACK", (r, m) -> r.receiveAck(m)),
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

    static Machine<Recorder.NonInviteServer> nonInviteServer() {
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
}
