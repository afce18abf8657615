package io.carillon.server.calls;

import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The commands about calls; answers are JSON. Any thread. */
public final class CallCommands {
    private static final Logger LOG = LoggerFactory.getLogger(CallCommands.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Calls calls;

    private CallCommands(Calls calls) {
        this.calls = calls;
    }

    /** By the names that the command line sends. */
    public static Map<String, ControlCommand> of(Calls calls) {
        CallCommands commands = new CallCommands(calls);
        return Map.of(
                "calls",
                commands::list,
                "call",
                commands::detail,
                "hangup",
                (CallerCommand) commands::hangUp);
    }

    private String list(String filter) throws ControlFailure {
        try {
            return JSON.writeValueAsString(
                    calls.list(JSON.readValue(filter, CallList.Filter.class)));
        } catch (JacksonException e) {
            throw new ControlFailure(
                    ControlFailure.Kind.BAD,
                    "the filter cannot be read: " + e.getOriginalMessage(),
                    e);
        } catch (IllegalArgumentException e) {
            throw new ControlFailure(ControlFailure.Kind.BAD, String.valueOf(e.getMessage()), e);
        }
    }

    private String detail(String id) throws ControlFailure {
        try {
            return JSON.writeValueAsString(calls.details(id));
        } catch (Calls.NoSuchCall e) {
            throw new ControlFailure(kind(e), String.valueOf(e.getMessage()), e);
        }
    }

    private static ControlFailure.Kind kind(Calls.NoSuchCall e) {
        return e.busy() ? ControlFailure.Kind.BUSY : ControlFailure.Kind.NOT_FOUND;
    }

    private String hangUp(String id, String who) throws ControlFailure {
        try {
            List<Calls.Ended> ended = calls.hangUp(id);
            for (Calls.Ended call : ended) {
                LOG.info(
                        "Call {} of {} was hung up by {}: {}",
                        call.id(),
                        call.application(),
                        who,
                        String.join("; ", call.done()));
            }
            return JSON.writeValueAsString(ended);
        } catch (Calls.NoSuchCall e) {
            throw new ControlFailure(kind(e), String.valueOf(e.getMessage()), e);
        }
    }
}
