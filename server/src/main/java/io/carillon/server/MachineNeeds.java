package io.carillon.server;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.doctor.Doctor;
import io.carillon.server.doctor.Finding;
import io.carillon.server.doctor.ServerNeeds;
import io.carillon.server.doctor.SystemFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a configuration wants of the machine, for the doctor. */
public final class MachineNeeds {
    private static final Logger LOG = LoggerFactory.getLogger(MachineNeeds.class);

    private MachineNeeds() {}

    /**
     * The needs of a server with this configuration.
     *
     * @param heapBytes largest heap
     */
    public static ServerNeeds of(Configuration configuration, long heapBytes) {
        var listen = configuration.sip().listen();
        return new ServerNeeds(
                configuration.sip().receiveBuffer().bytes(),
                configuration.sip().sendBuffer().bytes(),
                configuration.tcp().maxConnections(),
                listen.stream().map(point -> point.address().port()).distinct().toList(),
                listen.stream()
                        .map(ListenAddress::address)
                        .anyMatch(at -> at.bareHost().contains(":")),
                heapBytes,
                configuration.sip().socketByCall()
                        && SipTranslation.shards(configuration.sip()) > 1,
                "self");
    }

    /** One line in the log for each thing that would make the server that starts lose messages. */
    static void warn(Configuration configuration) {
        for (String tooMuch : SipTranslation.bounds(configuration).warnings()) {
            LOG.warn("{} (docs/guides/security.md)", tooMuch);
        }
        ServerNeeds needs = of(configuration, Runtime.getRuntime().maxMemory());
        for (Finding finding : Doctor.atStart(SystemFiles.real(), needs)) {
            LOG.warn(
                    "{} {} (./carillon doctor says more)",
                    finding.found(),
                    finding.mend().isEmpty() ? "" : "Mend it with: " + finding.mend().getFirst());
        }
    }
}
