package io.carillon.server;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.LogSettings;
import io.carillon.server.http.AdminHttp;
import io.carillon.server.reload.LivePart;
import io.carillon.server.start.SettingException;
import io.carillon.server.start.StartException;
import io.carillon.servlet.route.RouterException;
import java.io.IOException;
import java.util.List;

/** The parts of a server that take another configuration while it runs. Stateless. */
final class LiveParts {
    private LiveParts() {}

    /** In the order in which they change. */
    static List<LivePart> of(CarillonSip sip, AdminHttp http) {
        return List.of(
                LiveParts::log,
                (before, after) -> token(http, after),
                (before, after) -> LivePart.Change.of(() -> sip.tracing().change(after.trace())),
                sip.live(),
                (before, after) ->
                        LivePart.Change.of(() -> sip.database().resize(after.database())),
                (before, after) -> routes(sip));
    }

    /** Levels that a command set stay, unless the configured ones are others. */
    private static LivePart.Change log(Configuration before, Configuration after) {
        return LivePart.Change.of(() -> {
            LogSettings was = before.log();
            LogSettings now = after.log();
            if (!was.level().equals(now.level()) || !was.levels().equals(now.levels())) {
                LogLevels.reset(now);
            }
            LogLevels.format(now);
        });
    }

    private static LivePart.Change token(AdminHttp http, Configuration after)
            throws StartException {
        try {
            return LivePart.Change.of(http.token(after.http().token()));
        } catch (IOException e) {
            throw new SettingException("http.token", String.valueOf(e.getMessage()), e);
        }
    }

    /** The router's file is read again; the old rules stay where it is wrong. */
    private static LivePart.Change routes(CarillonSip sip) throws StartException {
        try {
            sip.reloadRouter(true);
        } catch (RouterException e) {
            throw new SettingException("router", String.valueOf(e.getMessage()), e);
        }
        return LivePart.Change.of(() -> {});
    }
}
