package io.carillon.server.routes;

import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.servlet.route.RouterException;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.message.SipRequest;
import java.util.Base64;
import java.util.Map;

/** The server's side of the commands {@code route} and {@code router reload}. Any thread. */
public final class RouteCommands {
    private final Routes routes;

    private RouteCommands(Routes routes) {
        this.routes = routes;
    }

    /** By the names that the command line sends. */
    public static Map<String, ControlCommand> of(Routes routes) {
        RouteCommands commands = new RouteCommands(routes);
        return Map.of("route", commands::route, "router-reload", nothing -> commands.reload());
    }

    /** The argument is the text of a request in Base64. */
    private String route(String argument) throws ControlFailure {
        byte[] text;
        try {
            text = Base64.getDecoder().decode(argument);
        } catch (IllegalArgumentException e) {
            throw new ControlFailure(ControlFailure.Kind.BAD, "the request is not in Base64", e);
        }
        ParseResult parsed =
                new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                        .parseDatagram(text, text.length);
        if (parsed instanceof ParseResult.Rejected rejected) {
            throw new ControlFailure(
                    ControlFailure.Kind.BAD, "no request that can be read: " + rejected.reason());
        }
        if (!(parsed instanceof ParseResult.Parsed message
                && message.message() instanceof SipRequest request)) {
            throw new ControlFailure(ControlFailure.Kind.BAD, "no request");
        }
        try {
            return RouteText.json(routes.route(request));
        } catch (RuntimeException | LinkageError e) {
            throw new ControlFailure("the application router failed: " + e, e);
        }
    }

    private String reload() throws ControlFailure {
        try {
            if (!routes.reloadRouter(true)) {
                return "the router has no file: nothing to read\n";
            }
            StringBuilder text = new StringBuilder("the router's file was read again\n");
            routes.routedButNotDeployed()
                    .forEach(one -> text.append("warning: ").append(one).append('\n'));
            return text.toString();
        } catch (RouterException e) {
            throw new ControlFailure(e.getMessage() + "; the old rules stay", e);
        }
    }
}
