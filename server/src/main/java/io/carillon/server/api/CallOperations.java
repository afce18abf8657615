package io.carillon.server.api;

import io.carillon.server.access.Role;
import io.carillon.server.calls.CallDetail;
import io.carillon.server.calls.CallList;
import io.carillon.server.calls.Calls;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.ladder.CallTrace;
import io.carillon.server.ladder.TraceEvent;
import io.carillon.server.ladder.TracedCalls;
import io.carillon.server.spans.ShownTrace;
import io.carillon.server.spans.SpanCommands;
import io.carillon.server.trace.TraceCommands;
import io.carillon.server.trace.TraceRequest;
import java.util.List;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Operations about calls and their traces. */
final class CallOperations {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String CALLS = "calls";
    private static final String TRACES = "traces";
    private static final String ID = "Id of a call as it is listed, or a Call-ID.";
    private static final List<String> STATES =
            List.of("initial", "early", "confirmed", "terminated");

    private final Commands commands;

    CallOperations(Commands commands) {
        this.commands = commands;
    }

    List<Operation> all() {
        return List.of(
                list(),
                call(),
                callByCallId(),
                Operation.delete("hangUp", "/calls/{id}")
                        .role(Role.OPERATOR)
                        .about(CALLS, "Ends a call; the answer says what was done to each leg.")
                        .command("hangup")
                        .on("id", ID)
                        .answersList(Calls.Ended.class)
                        .does(call ->
                                ApiAnswer.json(commands.ask(call, "hangup", call.text("id")))),
                Operation.delete("hangUpFound", "/call")
                        .role(Role.OPERATOR)
                        .about(CALLS, "As hangUp, for an id that has a slash.")
                        .command("hangup")
                        .with(Parameter.text("id", ID))
                        .target("id")
                        .answersList(Calls.Ended.class)
                        .does(call ->
                                ApiAnswer.json(commands.ask(call, "hangup", call.text("id")))),
                ladder(),
                traces(),
                traceOn(),
                Operation.delete("endTrace", "/traces/{number}")
                        .role(Role.OPERATOR)
                        .about(TRACES, "Switches a trace off; what it recorded stays.")
                        .command("trace-off")
                        .on("number", "Number of a trace that is on.")
                        .answers(TracesEnded.class)
                        .does(call -> ended(commands.ask(call, "trace-off", call.text("number")))),
                Operation.delete("endTraces", "/traces")
                        .role(Role.OPERATOR)
                        .about(TRACES, "Switches all traces off; what they recorded stays.")
                        .command("trace-off")
                        .answers(TracesEnded.class)
                        .does(call -> ended(commands.ask(call, "trace-off", ""))),
                Operation.delete("forgetTraces", "/traces/calls")
                        .role(Role.OPERATOR)
                        .about(TRACES, "Forgets what traces recorded; those that are on go on.")
                        .command("trace-clear")
                        .does(call -> {
                            commands.ask(call, "trace-clear", "");
                            return ApiAnswer.message("forgotten");
                        }),
                recorded(),
                kept(),
                keptOne(),
                events(),
                stream());
    }

    private Operation list() {
        return Operation.get("listCalls", "/calls")
                .role(Role.VIEWER)
                .about(CALLS, "Lists the calls that are held, the longest first, in pages.")
                .command("calls")
                .with(Parameter.text("user", "Calls from or to this user."))
                .with(Parameter.oneOf("state", STATES, "State of the leg that is least far."))
                .with(Parameter.text("application", "Calls that it handles."))
                .with(Parameter.number("longerThan", 0, 0, 1L << 31, "Calls of more seconds."))
                .with(Parameter.text("text", "Anywhere in ids, Call-IDs, From and To."))
                .with(Parameter.number("limit", 50, 1, 1_000, "At most so many."))
                .with(Parameter.text("after", "The member next of the page before."))
                .answers(CallList.class)
                .heavy()
                .does(call ->
                        ApiAnswer.json(
                                commands.ask(
                                        call,
                                        "calls",
                                        JSON.writeValueAsString(
                                                new CallList.Filter(
                                                        call.text("user"),
                                                        call.text("state"),
                                                        call.text("application"),
                                                        call.number("longerThan"),
                                                        call.count("limit"),
                                                        call.text("text"),
                                                        call.text("after"))))));
    }

    private Operation call() {
        return Operation.get("getCall", "/calls/{id}")
                .role(Role.VIEWER)
                .about(CALLS, "Shows everything of one call, but no values that applications keep.")
                .command("call")
                .on("id", ID)
                .answersList(CallDetail.class)
                .does(call -> ApiAnswer.json(commands.ask(call, "call", call.text("id"))));
    }

    private Operation callByCallId() {
        return Operation.get("findCall", "/call")
                .role(Role.VIEWER)
                .about(CALLS, "As getCall, for an id that has a slash.")
                .command("call")
                .with(Parameter.text("id", ID))
                .target("id")
                .answersList(CallDetail.class)
                .does(call -> ApiAnswer.json(commands.ask(call, "call", call.text("id"))));
    }

    private Operation ladder() {
        return withShown(
                        Operation.get("getLadder", "/calls/{id}/ladder")
                                .role(Role.VIEWER)
                                .about(
                                        TRACES,
                                        "Shows what was recorded of a call: messages, handlers,"
                                                + " notes.")
                                .command("trace-show")
                                .on("id", ID))
                .answersList(CallTrace.class)
                .does(call -> show(call, call.text("id")));
    }

    private Operation recorded() {
        return withShown(
                        Operation.get("findTraces", "/traces/calls")
                                .role(Role.VIEWER)
                                .about(TRACES, "Shows what was recorded of calls.")
                                .command("trace-show")
                                .with(
                                        Parameter.text(
                                                "call", "A Call-ID, the id of a call, or a user.")))
                .answersList(CallTrace.class)
                .does(call -> show(call, call.text("call")));
    }

    private static Operation.Builder withShown(Operation.Builder one) {
        return one.with(bodies()).with(Parameter.number("limit", 1, 1, 100, "At most so many."));
    }

    private static Parameter bodies() {
        return Parameter.flag("bodies", "Bodies of messages too, which the role operator sees.");
    }

    private ApiAnswer show(ApiCall call, String wanted) throws ControlFailure, Problem {
        boolean bodies = bodies(call);
        return ApiAnswer.json(
                commands.ask(
                        call,
                        "trace-show",
                        JSON.writeValueAsString(
                                new TraceCommands.Question(
                                        wanted, bodies, call.count("limit"), 0))));
    }

    private static boolean bodies(ApiCall call) throws Problem {
        boolean bodies = call.flag("bodies");
        if (bodies) {
            call.needs(Role.OPERATOR, "seeing bodies of messages");
        }
        return bodies;
    }

    private Operation traces() {
        return Operation.get("listTraces", "/traces")
                .role(Role.VIEWER)
                .about(TRACES, "Lists the traces that are on, and the calls that were recorded.")
                .command("trace-list")
                .with(Parameter.number("limit", 100, 1, 10_000, "At most so many calls."))
                .answers(TracedCalls.class)
                .does(call -> ApiAnswer.json(commands.ask(call, "trace-list", call.text("limit"))));
    }

    private Operation traceOn() {
        return Operation.post("beginTrace", "/traces")
                .role(Role.OPERATOR)
                .about(TRACES, "Switches a trace on: for a call, a user, a peer, a share, or all.")
                .command("trace-on")
                .takes(TraceRequest.class)
                .answers(TracedCalls.On.class)
                .does(call ->
                        ApiAnswer.json(
                                commands.ask(
                                        call,
                                        "trace-on",
                                        JSON.writeValueAsString(call.body(TraceRequest.class)))));
    }

    private Operation kept() {
        return Operation.get("listKeptTraces", "/traces/kept")
                .role(Role.VIEWER)
                .about(
                        TRACES,
                        "Lists the last traces that went to the collector of OpenTelemetry, the"
                                + " newest first.")
                .command("spans")
                .answers(SpanCommands.Traces.class)
                .does(call -> ApiAnswer.json(commands.ask(call, "spans", "")));
    }

    private Operation keptOne() {
        return Operation.get("getKeptTrace", "/traces/kept/call")
                .role(Role.VIEWER)
                .about(TRACES, "Shows the spans of one of them.")
                .command("spans")
                .with(Parameter.text("call", "A Call-ID, or the id of a trace."))
                .answers(ShownTrace.class)
                .does(call -> {
                    String wanted = call.text("call");
                    if (wanted.isBlank()) {
                        throw Problem.bad("the parameter call is missing");
                    }
                    return ApiAnswer.json(commands.ask(call, "spans", wanted));
                });
    }

    private Operation events() {
        return Operation.get("getTraceEvents", "/traces/events")
                .role(Role.VIEWER)
                .about(TRACES, "Shows what was recorded after an event, as a list.")
                .command("trace-follow")
                .with(wanted())
                .with(bodies())
                .with(after())
                .answersList(TraceEvent.class)
                .does(call ->
                        ApiAnswer.json(
                                commands.ask(
                                        call,
                                        "trace-follow",
                                        question(call, call.number("after")))));
    }

    private Operation stream() {
        return Operation.get("followTraces", "/traces/stream")
                .role(Role.VIEWER)
                .about(
                        TRACES,
                        "Tells of what is recorded as it happens: events named trace, each a list.")
                .command("trace-follow")
                .with(wanted())
                .with(bodies())
                .with(after())
                .answersList(TraceEvent.class)
                .stream()
                .does(call -> ApiAnswer.message(""));
    }

    private static Parameter wanted() {
        return Parameter.text("call", "A Call-ID, the id of a call, or a user; without it, all.");
    }

    private static Parameter after() {
        return Parameter.number(
                "after", 0, 0, Long.MAX_VALUE, "Only events with a larger sequence.");
    }

    private static String question(ApiCall call, long after) throws Problem {
        return JSON.writeValueAsString(
                new TraceCommands.Question(call.text("call"), bodies(call), 1, after));
    }

    /** What a stream of trace events tells. */
    EventStreams.Feed feed(ApiCall call) throws Problem {
        String wanted = call.text("call");
        boolean bodies = bodies(call);
        long[] after = {call.number("after")};
        return () -> {
            String text;
            try {
                text =
                        commands.look(
                                "trace-follow",
                                JSON.writeValueAsString(
                                        new TraceCommands.Question(wanted, bodies, 1, after[0])));
            } catch (ControlFailure e) {
                throw new IllegalStateException(e);
            }
            List<TraceEvent> events = JSON.readValue(text, new TypeReference<>() {});
            if (events.isEmpty()) {
                return null;
            }
            after[0] = events.getLast().sequence();
            return text;
        };
    }

    private static ApiAnswer ended(String count) {
        return ApiAnswer.of(new TracesEnded(Integer.parseInt(count)));
    }

    /**
     * Traces that were switched off.
     *
     * @param ended how many
     */
    record TracesEnded(int ended) {}
}
