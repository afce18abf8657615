package ${package};

import io.carillon.pojo.Bye;
import io.carillon.pojo.Initial;
import io.carillon.pojo.Invite;
import io.carillon.pojo.SipHandler;

/** Answers calls, and lets the caller hang up. */
@SipHandler
public class Hello {
    @Invite
    @Initial
    public int invite() {
        return 200;
    }

    @Bye
    public int bye() {
        return 200;
    }
}
