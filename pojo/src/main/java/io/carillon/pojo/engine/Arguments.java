package io.carillon.pojo.engine;

import io.carillon.pojo.Attribute;
import io.carillon.pojo.Body;
import io.carillon.pojo.Call;
import io.carillon.pojo.Header;
import io.carillon.pojo.NamedTimer;
import io.carillon.pojo.current.Dispatch;
import io.carillon.pojo.engine.Handler.Argument;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.servlet.ServletContext;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TelURL;
import javax.servlet.sip.TimerService;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/** Finds out, at deployment, what each parameter of a handler is taken from. One thread. */
final class Arguments {
    /** What a handler handles. */
    enum Occasion {
        REQUEST,
        RESPONSE,
        TIMER,
        SIP_SESSION_EVENT,
        APPLICATION_SESSION_EVENT,
        ERROR
    }

    private record Source(Set<Occasion> occasions, Argument argument) {}

    private static final Set<Occasion> MESSAGES = EnumSet.of(Occasion.REQUEST, Occasion.RESPONSE);
    private static final Set<Occasion> REQUESTED =
            EnumSet.of(Occasion.REQUEST, Occasion.RESPONSE, Occasion.ERROR);
    private static final Set<Occasion> WITH_SESSION =
            EnumSet.of(
                    Occasion.REQUEST,
                    Occasion.RESPONSE,
                    Occasion.ERROR,
                    Occasion.SIP_SESSION_EVENT);
    private static final Set<Occasion> ALL = EnumSet.allOf(Occasion.class);

    private static final Map<Class<?>, Source> BY_TYPE = new HashMap<>();

    static {
        BY_TYPE.put(SipServletRequest.class, new Source(REQUESTED, Dispatch::request));
        BY_TYPE.put(
                SipServletResponse.class,
                new Source(EnumSet.of(Occasion.RESPONSE, Occasion.ERROR), Dispatch::response));
        BY_TYPE.put(SipServletMessage.class, new Source(MESSAGES, Dispatch::message));
        BY_TYPE.put(SipSession.class, new Source(WITH_SESSION, Dispatch::session));
        BY_TYPE.put(SipApplicationSession.class, new Source(ALL, Dispatch::applicationSession));
        BY_TYPE.put(ServletTimer.class, new Source(EnumSet.of(Occasion.TIMER), Dispatch::timer));
        BY_TYPE.put(
                NamedTimer.class,
                new Source(
                        EnumSet.of(Occasion.TIMER),
                        d -> d.timer() == null ? null : named(d.timer())));
        BY_TYPE.put(SipErrorEvent.class, new Source(EnumSet.of(Occasion.ERROR), Dispatch::error));
        BY_TYPE.put(Proxy.class, new Source(MESSAGES, Arguments::proxy));
        BY_TYPE.put(B2buaHelper.class, new Source(REQUESTED, d -> request(d).getB2buaHelper()));
        BY_TYPE.put(URI.class, new Source(REQUESTED, d -> request(d).getRequestURI()));
        BY_TYPE.put(SipURI.class, new Source(REQUESTED, d -> uri(d, SipURI.class)));
        BY_TYPE.put(TelURL.class, new Source(REQUESTED, d -> uri(d, TelURL.class)));
        BY_TYPE.put(Call.class, new Source(WITH_SESSION, d -> Calls.of(sessionOf(d))));
    }

    private final ServletContext context;

    Arguments(ServletContext context) {
        this.context = context;
    }

    /**
     * @throws HandlerException when a parameter cannot be filled on this occasion
     */
    Argument[] of(Method method, Occasion occasion, String label) throws HandlerException {
        Parameter[] parameters = method.getParameters();
        Argument[] arguments = new Argument[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            try {
                arguments[i] = of(parameters[i], occasion);
            } catch (IllegalArgumentException e) {
                throw new HandlerException(
                        label + ", parameter " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return arguments;
    }

    private Argument of(Parameter parameter, Occasion occasion) {
        Type type = parameter.getParameterizedType();
        Header header = parameter.getAnnotation(Header.class);
        Body body = parameter.getAnnotation(Body.class);
        Attribute attribute = parameter.getAnnotation(Attribute.class);
        if (header != null) {
            require(MESSAGES, occasion, "@Header");
            return HeaderArguments.of(header, type);
        }
        if (body != null) {
            require(MESSAGES, occasion, "@Body");
            return BodyArguments.of(body, type);
        }
        if (attribute != null) {
            return attribute(attribute, parameter, occasion);
        }
        for (Annotation other : parameter.getAnnotations()) {
            if (other.annotationType().getName().startsWith("io.carillon.pojo.")) {
                throw new IllegalArgumentException(
                        "@" + other.annotationType().getSimpleName() + " belongs to the method");
            }
        }
        Class<?> raw = parameter.getType();
        Source source = BY_TYPE.get(raw);
        if (source != null) {
            require(source.occasions(), occasion, raw.getSimpleName());
            return source.argument();
        }
        return shared(raw);
    }

    /** What is one for the whole application. */
    private Argument shared(Class<?> type) {
        Object value;
        if (type == ServletContext.class) {
            value = context;
        } else if (type == SipFactory.class) {
            value = context.getAttribute(SipServlet.SIP_FACTORY);
        } else if (type == TimerService.class) {
            value = context.getAttribute(SipServlet.TIMER_SERVICE);
        } else if (type == SipSessionsUtil.class) {
            value = context.getAttribute(SipServlet.SIP_SESSIONS_UTIL);
        } else {
            throw new IllegalArgumentException(
                    type.getName()
                            + " is none of the types that a handler can ask for, and has neither"
                            + " @Header, @Body nor @Attribute");
        }
        return dispatch -> value;
    }

    private static Argument attribute(Attribute attribute, Parameter parameter, Occasion occasion) {
        String name = attribute.value();
        Type type = parameter.getParameterizedType();
        boolean optional = Types.rawOf(type) == Optional.class;
        Class<?> wanted = optional ? Types.rawOf(Types.elementOf(type)) : Types.rawOf(type);
        if (wanted.isPrimitive()) {
            throw new IllegalArgumentException(
                    "an attribute may be unset: " + wanted + " cannot be null, its wrapper can");
        }
        switch (attribute.of()) {
            case SIP_SESSION -> require(WITH_SESSION, occasion, "an attribute of the SIP session");
            case MESSAGE -> require(MESSAGES, occasion, "an attribute of the message");
            case APPLICATION_SESSION -> {}
        }
        return dispatch -> {
            Object value =
                    switch (attribute.of()) {
                        case SIP_SESSION -> sessionOf(dispatch).getAttribute(name);
                        case MESSAGE ->
                                Objects.requireNonNull(dispatch.message()).getAttribute(name);
                        case APPLICATION_SESSION ->
                                dispatch.applicationSession().getAttribute(name);
                    };
            if (value != null && !wanted.isInstance(value)) {
                throw new IllegalStateException(
                        "attribute "
                                + name
                                + " is a "
                                + value.getClass().getName()
                                + ", not a "
                                + wanted.getName());
            }
            return optional ? Optional.ofNullable(value) : value;
        };
    }

    private static void require(Set<Occasion> where, Occasion occasion, String what) {
        if (!where.contains(occasion)) {
            throw new IllegalArgumentException(
                    what
                            + " is not there when a "
                            + occasion.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ')
                            + " is handled");
        }
    }

    private static SipServletRequest request(Dispatch dispatch) {
        SipServletRequest request = dispatch.request();
        if (request == null) {
            throw new IllegalStateException("the response has no request: it came too late");
        }
        return request;
    }

    private static SipSession sessionOf(Dispatch dispatch) {
        return Objects.requireNonNull(dispatch.session());
    }

    private static @Nullable Object proxy(Dispatch dispatch) throws Exception {
        SipServletResponse response = dispatch.response();
        return response == null ? request(dispatch).getProxy() : response.getProxy();
    }

    private static Object uri(Dispatch dispatch, Class<? extends URI> type)
            throws UnsuitableMessageException {
        URI uri = request(dispatch).getRequestURI();
        if (!type.isInstance(uri)) {
            // RFC 3261 21.4.14: "The server cannot process the request because the scheme of the
            // URI in the Request-URI is unknown to the server."
            throw new UnsuitableMessageException(416, "Unsupported URI Scheme", null);
        }
        return uri;
    }

    private static @Nullable NamedTimer named(ServletTimer timer) {
        return switch (timer.getInfo()) {
            case NamedTimer named -> named;
            case String name -> new NamedTimer(name, null);
            case null, default -> null;
        };
    }
}
