package io.carillon.examples.blocking;

import io.carillon.pojo.Invite;
import io.carillon.pojo.Plan;
import io.carillon.pojo.SipHandler;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.util.HashSet;
import java.util.Set;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipServletRequest;

/**
 * Refuses the callers whom the parameter {@code blocked} names with 503, before any handler of an
 * INVITE is called. No handler knows of it: {@link SipHandler} itself is what binds it.
 */
@Interceptor
@SipHandler
public class CallBlocking {
    @Inject ServletContext context;
    @Inject SipServletRequest request;

    @AroundInvoke
    public Object invite(InvocationContext handler) throws Exception {
        boolean refused =
                handler.getMethod().isAnnotationPresent(Invite.class)
                        && blocked().contains(Caller.of(request.getFrom().getURI()));
        return refused ? Plan.respond(503) : handler.proceed();
    }

    private Set<String> blocked() {
        String users = context.getInitParameter("blocked");
        Set<String> blocked = new HashSet<>();
        for (String user : users == null ? new String[0] : users.split(",")) {
            blocked.add(Caller.plain(user));
        }
        return blocked;
    }
}
