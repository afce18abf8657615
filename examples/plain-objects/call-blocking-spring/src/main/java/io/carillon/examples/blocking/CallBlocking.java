package io.carillon.examples.blocking;

import io.carillon.pojo.Plan;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import javax.servlet.sip.SipServletRequest;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.stereotype.Component;

/**
 * Refuses the callers whom the parameter {@code blocked} names with 503, before any handler of an
 * INVITE is called. No handler knows of it.
 */
@Aspect
@Component
@EnableAspectJAutoProxy(proxyTargetClass = true)
public class CallBlocking {
    private final Set<String> blocked;
    private final SipServletRequest request;

    /**
     * @param blocked users, separated by commas
     * @param request stands for the request in work
     */
    public CallBlocking(@Value("${blocked:}") String[] blocked, SipServletRequest request) {
        this.blocked =
                Arrays.stream(blocked).map(Caller::plain).collect(Collectors.toUnmodifiableSet());
        this.request = request;
    }

    @Around("@annotation(io.carillon.pojo.Invite)")
    public Object invite(ProceedingJoinPoint handler) throws Throwable {
        String caller = Caller.of(request.getFrom().getURI());
        boolean refused = caller != null && blocked.contains(caller);
        return refused ? Plan.respond(503) : handler.proceed();
    }
}
