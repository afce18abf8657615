package io.carillon.sip.admission;

import io.carillon.sip.message.SipMessage;
import java.util.concurrent.Executor;

/**
 * Serial execution of commands that a message from the network may have to wait for. Commands
 * without a message are our own and always taken. Any thread.
 */
public interface Mailbox extends Executor {
    /** Would a command run here and now? Then nothing of its message has to be remembered. */
    boolean idle();

    /** Is there room for this message? Always where its work would run at once. */
    boolean hasRoom(SipMessage message, Room room);

    /**
     * Runs the work for a message, after everything that came before it; its bytes count from now
     * until the work is done, when it has to wait.
     *
     * @return false when there was no room: nothing will happen
     */
    boolean offer(SipMessage message, Room room, Runnable work);

    /** One where nothing waits, or whose owner bounds what waits by himself. */
    static Mailbox of(Executor turn) {
        return turn instanceof Mailbox own
                ? own
                : new Mailbox() {
                    @Override
                    public boolean idle() {
                        return true;
                    }

                    @Override
                    public boolean hasRoom(SipMessage message, Room room) {
                        return true;
                    }

                    @Override
                    public boolean offer(SipMessage message, Room room, Runnable work) {
                        turn.execute(work);
                        return true;
                    }

                    @Override
                    public void execute(Runnable work) {
                        turn.execute(work);
                    }
                };
    }
}
