package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.bytes.AttributeCodec.LeftOut;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Server;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.example.hotel.House;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An attribute that no other node can have: its author is told what it is, and where. */
class LeftBehindTest {
    /** Keeps a house. */
    private static final class Keeps extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final transient Serializable house;

        Keeps(Serializable house) {
            this.house = house;
        }

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            request.getSession().setAttribute("house", house);
            request.createResponse(200).send();
        }
    }

    private static String told(Serializable house, boolean distributable) {
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        SessionStores.inMemory());
        try {
            server.container.deploy(
                    ApplicationDescription.builder("hotel")
                            .servlet("main", () -> new Keeps(house))
                            .distributable(distributable)
                            .execution(ExecutionMode.NON_BLOCKING)
                            .build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
        server.peer("10.0.0.2")
                .request(
                        "INVITE sip:x@10.0.0.1",
                        "<sip:a@x>;tag=a",
                        "<sip:x@y>",
                        "c1",
                        1,
                        "Contact: <sip:10.0.0.2:5060>");
        server.run(Duration.ofMillis(100));
        ApplicationSession session = server.container.sessions().all().iterator().next();
        List<LeftOut> left = new ArrayList<>();
        session.inTurn(() -> left.addAll(CallRecords.leftOut(session)));
        assertThat(left).hasSize(1);
        return LeftBehind.sentence(session.application(), left.getFirst());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void applicationAttributeClassAndFieldsAreNamed(boolean onFloor) {
        String house = House.class.getName();
        String door = House.Door.class.getName();
        assertThat(told(House.withDoor(onFloor), true))
                .isEqualTo(
                        "application hotel: calls with \"house\" of "
                                + house
                                + " ("
                                + door
                                + " in it: "
                                + (onFloor ? "house.floors[][].door" : "house.cellar[].door")
                                + ") do not outlive this node whole: it cannot be serialized");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoIsNotDistributableIsToldSo(boolean onFloor) {
        assertThat(told(House.withDoor(onFloor), false))
                .isEqualTo(
                        "application hotel: calls with \"house\" of "
                                + House.class.getName()
                                + " do not outlive this node whole: the application is not"
                                + " <distributable/>");
    }
}
