package io.carillon.server.launch;

/** Why nothing is started, in a sentence for the user. */
final class LaunchFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final int exit;

    private LaunchFailure(int exit, String message) {
        super(message);
        this.exit = exit;
    }

    /** Arguments that cannot be meant. */
    static LaunchFailure wrong(String message) {
        return new LaunchFailure(2, message);
    }

    /** What was asked for cannot be done here. */
    static LaunchFailure failed(String message) {
        return new LaunchFailure(1, message);
    }

    int exit() {
        return exit;
    }
}
