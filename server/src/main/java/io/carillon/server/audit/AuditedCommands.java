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

        /** Where it is seen how that stands which it changes; null: nowhere. */
        default @Nullable Look look(String command, String argument) {
            return null;
        }
    }

    /**
     * A command that changes nothing and shows how something stands.
     *
     * @param command that shows it
     * @param target what of its answer it is about, as {@link Standing#of} takes it
     */
    public record Look(String command, String argument, String target) {}

    /**
     * A look at one command's subject.
     *
     * @param shows null: there is nothing to be seen
     */
    private record Sight(@Nullable ControlCommand shows, Look look) {
        static final Sight NONE = new Sight(null, new Look("", "", ""));

        /** Null where there is nothing to be said. */
        @Nullable String now() {
            if (shows == null) {
                return null;
            }
            try {
                return shows.answer(look.argument());
            } catch (ControlFailure e) {
                LOG.debug("How it stands is not known", e);
                return null; // the change itself will say what is wrong
            }
        }
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
                                                    sight(commands, told.look(name, argument)),
                                                    own,
                                                    argument,
                                                    who,
                                                    trail);
                                }));
        return all;
    }

    private static Sight sight(Map<String, ControlCommand> commands, @Nullable Look look) {
        ControlCommand shows = look == null ? null : commands.get(look.command());
        return look == null || shows == null ? Sight.NONE : new Sight(shows, look);
    }

    private static String plain(ControlCommand own, String argument, String who)
            throws ControlFailure {
        return own instanceof CallerCommand minds
                ? minds.answer(argument, who)
                : own.answer(argument);
    }

    private static String audited(
            AuditTrail.Deed deed,
            Sight sight,
            ControlCommand own,
            String argument,
            String who,
            AuditTrail trail)
            throws ControlFailure {
        AuditTrail.Change change = null;
        String target = sight.look().target();
        String before = sight.now();
        try {
            change =
                    trail.begin(
                            new AuditTrail.Actor(who, SOCKET, SOCKET),
                            deed,
                            Standing.of(before, target));
        } catch (IOException e) {
            LOG.error(
                    "The command {} of {} is done, and not in the audit log", deed.what(), who, e);
        }
        try {
            String answer = plain(own, argument, who);
            // An answer may have a token in it, where an argument may have a password.
            String after = deed.asked().equals(argument) ? answer : "";
            ended(
                    change,
                    true,
                    "",
                    sight.shows() == null ? after : Standing.changed(before, sight.now(), target));
            return answer;
        } catch (ControlFailure e) {
            ended(change, false, String.valueOf(e.getMessage()), null);
            throw e;
        } catch (RuntimeException | Error e) {
            ended(change, false, e.toString(), null);
            throw e;
        }
    }

    private static void ended(
            AuditTrail.@Nullable Change change,
            boolean done,
            String result,
            @Nullable String after) {
        if (change != null) {
            change.ended(done, 0, result, after == null || after.isEmpty() ? null : after);
        }
    }
}
