package io.carillon.server.api;

import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.util.Map;
import java.util.Set;

/**
 * The commands of the control socket, which the operations use: there is one way to do a thing. Any
 * thread.
 */
final class Commands {
    private final Map<String, ControlCommand> byName;

    Commands(Map<String, ControlCommand> byName) {
        this.byName = Map.copyOf(byName);
    }

    /** All of their names. */
    Set<String> names() {
        return byName.keySet();
    }

    /** Does a command in the caller's name. */
    String ask(ApiCall call, String name, String argument) throws ControlFailure, Problem {
        return command(name) instanceof CallerCommand minds
                ? minds.answer(argument, call.who())
                : look(name, argument);
    }

    /** Does a command that minds nobody. */
    String look(String name, String argument) throws ControlFailure {
        return command(name).answer(argument);
    }

    private ControlCommand command(String name) {
        ControlCommand found = byName.get(name);
        if (found == null) {
            throw new IllegalStateException("there is no command " + name);
        }
        return found;
    }
}
