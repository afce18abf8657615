package io.carillon.server.control;

/** What the server does for one command. Called on threads of the control socket. */
@FunctionalInterface
public interface ControlCommand {
    /**
     * @param argument the rest of the line behind the command's name; empty when there is none
     * @return text of any length
     * @throws ControlFailure with one line for the user
     */
    String answer(String argument) throws ControlFailure;
}
