package io.carillon.server.guard;

import io.carillon.net.guard.Guard;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.net.InetAddress;
import java.util.Map;

/** The commands that show and lift bans. Any thread. */
public final class BanCommands {
    private final Guard guard;

    private BanCommands(Guard guard) {
        this.guard = guard;
    }

    /** By the names that the command line sends. */
    public static Map<String, ControlCommand> of(Guard guard) {
        BanCommands commands = new BanCommands(guard);
        return Map.of(
                "bans",
                nothing -> BansText.json(guard.banned(System.nanoTime())),
                "bans-clear",
                commands::clear);
    }

    private String clear(String address) throws ControlFailure {
        if (address.isEmpty()) {
            int lifted = guard.liftAll(System.nanoTime());
            return lifted == 1 ? "1 ban lifted\n" : lifted + " bans lifted\n";
        }
        if (!guard.lift(parse(address), System.nanoTime())) {
            throw new ControlFailure(ControlFailure.Kind.NOT_FOUND, address + " is not banned");
        }
        return "the ban of " + address + " is lifted\n";
    }

    private static InetAddress parse(String text) throws ControlFailure {
        int slash = text.indexOf('/');
        try {
            return InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
        } catch (IllegalArgumentException e) {
            throw new ControlFailure(
                    ControlFailure.Kind.BAD, "'" + text + "' is no address in digits", e);
        }
    }
}
