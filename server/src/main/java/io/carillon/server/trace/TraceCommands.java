package io.carillon.server.trace;

import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.ladder.CallTrace;
import io.carillon.servlet.kernel.ApplicationSession;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The commands about traces; arguments and answers are JSON. Any thread. */
public final class TraceCommands {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MOST_EVENTS = 2_000;

    private final Traces traces;
    private final Supplier<Collection<ApplicationSession>> live;

    private TraceCommands(Traces traces, Supplier<Collection<ApplicationSession>> live) {
        this.traces = traces;
        this.live = live;
    }

    /**
     * What {@code trace-show} and {@code trace-follow} ask for.
     *
     * @param wanted a Call-ID, the id of an application session, or a user
     * @param bodies shown too?
     * @param most calls
     * @param after which event
     */
    public record Question(String wanted, boolean bodies, int most, long after) {}

    /** By the names that the command line sends. */
    public static Map<String, ControlCommand> of(
            Traces traces, Supplier<Collection<ApplicationSession>> live) {
        TraceCommands commands = new TraceCommands(traces, live);
        return Map.of(
                "trace-on",
                (CallerCommand) commands::on,
                "trace-off",
                (CallerCommand) commands::off,
                "trace-clear",
                nothing -> commands.clear(),
                "trace-list",
                commands::list,
                "trace-show",
                commands::show,
                "trace-follow",
                commands::follow);
    }

    private String on(String argument, String who) throws ControlFailure {
        try {
            return JSON.writeValueAsString(
                    traces.on(read(argument, TraceRequest.class), who, live.get()));
        } catch (IllegalArgumentException e) {
            throw new ControlFailure(ControlFailure.Kind.BAD, String.valueOf(e.getMessage()), e);
        }
    }

    private String off(String argument, String who) throws ControlFailure {
        int number = number(argument, "a trace");
        int ended = traces.off(number, who);
        if (number != 0 && ended == 0) {
            throw new ControlFailure(
                    ControlFailure.Kind.NOT_FOUND, "no trace " + number + " is on");
        }
        return Integer.toString(ended);
    }

    private static int number(String text, String what) throws ControlFailure {
        if (text.isEmpty()) {
            return 0;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new ControlFailure(
                    ControlFailure.Kind.BAD, "'" + text + "' is no number of " + what, e);
        }
    }

    private String clear() {
        traces.clear();
        return "";
    }

    private String list(String most) throws ControlFailure {
        int number = number(most, "calls");
        return JSON.writeValueAsString(traces.list(number == 0 ? Integer.MAX_VALUE : number));
    }

    private String show(String argument) throws ControlFailure {
        Question question = read(argument, Question.class);
        List<CallTrace> found =
                traces.find(question.wanted(), question.bodies(), Math.max(1, question.most()));
        if (found.isEmpty()) {
            throw new ControlFailure(
                    ControlFailure.Kind.NOT_FOUND,
                    "nothing is recorded of a call, session or user '"
                            + question.wanted()
                            + "' (./carillon trace list shows what is)");
        }
        return JSON.writeValueAsString(found);
    }

    private String follow(String argument) throws ControlFailure {
        Question question = read(argument, Question.class);
        return JSON.writeValueAsString(
                traces.after(question.after(), question.wanted(), question.bodies(), MOST_EVENTS));
    }

    private static <T> T read(String json, Class<T> type) throws ControlFailure {
        try {
            return JSON.readValue(json, type);
        } catch (JacksonException e) {
            throw new ControlFailure(
                    ControlFailure.Kind.BAD,
                    "the argument cannot be read: " + e.getOriginalMessage(),
                    e);
        }
    }
}
