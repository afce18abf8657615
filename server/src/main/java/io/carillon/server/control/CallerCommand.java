package io.carillon.server.control;

/** A command that minds who gives it. */
@FunctionalInterface
public interface CallerCommand extends ControlCommand {
    /**
     * As {@link ControlCommand#answer}.
     *
     * @param who the user at the other end of the socket, as the system says
     */
    String answer(String argument, String who) throws ControlFailure;

    @Override
    default String answer(String argument) throws ControlFailure {
        return answer(argument, "somebody unknown");
    }
}
