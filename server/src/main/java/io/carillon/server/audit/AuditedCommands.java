package io.carillon.server.audit;

import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of the control socket, of which those that change something are written into the
 * audit log. Whoever has the socket owns the files of the log as well: a full disk keeps him from
 * nothing, and is told. Any thread.
 */
public final class AuditedCommands {
    private static final Logger LOG = LoggerFactory.getLogger(AuditedCommands.class);
    private static final String SOCKET = "socket";

    private AuditedCommands() {}

    /** What is written of a command. */
    @FunctionalInterface
    public interface Told {
        /** Its argument without passwords; null: it changes nothing. */
        @Nullable String of(String command, String argument);
    }

    /** The same commands. */
    public static Map<String, ControlCommand> of(
            Map<String, ControlCommand> commands, AuditTrail trail, Told told) {
        Map<String, ControlCommand> all = new HashMap<>();
        commands.forEach((name, own) ->
                all.put(
                        name,
                        (CallerCommand)
                                (argument, who) -> {
                                    String asked = told.of(name, argument);
                                    return asked == null
                                            ? plain(own, argument, who)
                                            : audited(
                                                    new AuditTrail.Deed(name, "", asked),
                                                    own,
                                                    argument,
                                                    who,
                                                    trail);
                                }));
        return all;
    }

    private static String plain(ControlCommand own, String argument, String who)
            throws ControlFailure {
        return own instanceof CallerCommand minds
                ? minds.answer(argument, who)
                : own.answer(argument);
    }

    private static String audited(
            AuditTrail.Deed deed, ControlCommand own, String argument, String who, AuditTrail trail)
            throws ControlFailure {
        AuditTrail.Change change = null;
        try {
            change = trail.begin(new AuditTrail.Actor(who, SOCKET, SOCKET), deed, null);
        } catch (IOException e) {
            LOG.error(
                    "The command {} of {} is done, and not in the audit log", deed.what(), who, e);
        }
        try {
            String answer = plain(own, argument, who);
            // An answer may have a token in it, where an argument may have a password.
            ended(change, true, "", deed.asked().equals(argument) ? answer : "");
            return answer;
        } catch (ControlFailure e) {
            ended(change, false, String.valueOf(e.getMessage()), "");
            throw e;
        } catch (RuntimeException | Error e) {
            ended(change, false, e.toString(), "");
            throw e;
        }
    }

    private static void ended(
            AuditTrail.@Nullable Change change, boolean done, String result, String after) {
        if (change != null) {
            change.ended(done, 0, result, after.isEmpty() ? null : after);
        }
    }
}
