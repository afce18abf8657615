package io.carillon.lab.load;

import java.util.function.Consumer;

/**
 * What a user does on the application's page: the part of a converged call that is not SIP. Called
 * on the engine's thread and returns at once.
 */
interface Trigger {
    /** Nobody has a page. */
    Trigger NONE =
            new Trigger() {
                @Override
                public void call(
                        String phone, String mail, boolean counted, Consumer<String> failed) {
                    failed.accept("no page");
                }

                @Override
                public void hangUp(
                        String phone, String mail, boolean counted, Consumer<String> failed) {
                    failed.accept("no page");
                }
            };

    /**
     * The user asks to be connected.
     *
     * @param phone the user's phone, a SIP URI of our callee's side
     * @param mail the voice mail server, a SIP URI of our callee's side
     * @param counted whether the time it takes is one of the result
     * @param failed told on the engine's thread why it did not work
     */
    void call(String phone, String mail, boolean counted, Consumer<String> failed);

    /** The user asks to be disconnected. */
    void hangUp(String phone, String mail, boolean counted, Consumer<String> failed);

    /** The user's call is over, however it ended: the page is closed. */
    default void left(String phone) {}
}
