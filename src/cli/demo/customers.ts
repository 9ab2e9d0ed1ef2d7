import { rows } from './rows.ts'

/** Customer · contact · phone · street · suburb · post code · latitude · longitude · group · notes. */
export const customers = rows(`
  Harbour Bakery              | Mia Tane            | +64 9 555 0201 | 8 Hurstmere Road        | Takapuna     | 0622 | -36.7874 | 174.7730 | North Shore    | Deliveries before six; ring the bell at the back
  Belmont Kindergarten        | Sophie Laurent      | +64 9 555 0202 | 21 Lake Road            | Belmont      | 0622 | -36.8020 | 174.7890 | North Shore    | Police vetted staff only during the day
  Navy Parade Apartments      | Gareth Llewellyn    | +64 9 555 0203 | 3 Victoria Road         | Devonport    | 0624 | -36.8316 | 174.7965 | North Shore    | Keys with the caretaker
  Albany Cold Store           | Rajesh Patel        | +64 9 555 0204 | 140 Bush Road           | Albany       | 0632 | -36.7412 | 174.7020 | North Shore    |
  Browns Bay Dental           | Nadia Kowalska      | +64 9 555 0205 | 17 Clyde Road           | Browns Bay   | 0630 | -36.7150 | 174.7480 | North Shore    | No noise from one to two
  Wynyard Hotel               | Yusuf Demir         | +64 9 555 0206 | 60 Halsey Street        | Auckland     | 1010 | -36.8420 | 174.7560 | Central        | Report at the loading dock
  Queen Street Law            | Caroline Mbeki      | +64 9 555 0207 | 151 Queen Street        | Auckland     | 1010 | -36.8466 | 174.7660 | Central        |
  Ponsonby Laundry            | Elena Petrova       | +64 9 555 0208 | 92 Ponsonby Road        | Ponsonby     | 1011 | -36.8530 | 174.7445 | Central        | Parking at the back
  Parnell Gallery             | Hugo Fernández      | +64 9 555 0209 | 263 Parnell Road        | Parnell      | 1052 | -36.8560 | 174.7810 | Central        | Alarm: tell the front desk first
  Mount Eden School           | Moana Parata        | +64 9 555 0210 | 4 Valley Road           | Mount Eden   | 1024 | -36.8740 | 174.7600 | Central        | Sign in at the office
  Newmarket Cinema            | Anders Lindqvist    | +64 9 555 0211 | 77 Broadway             | Newmarket    | 1023 | -36.8697 | 174.7775 | Central        | Not during the evening shows
  Karangahape Print           | Thandiwe Dlamini    | +64 9 555 0212 | 208 Karangahape Road    | Auckland     | 1010 | -36.8577 | 174.7600 | Central        |
  Henderson Timber            | Viliami Tupou       | +64 9 555 0213 | 12 Railside Avenue      | Henderson    | 0612 | -36.8800 | 174.6310 | West           | Hard hat and boots in the yard
  New Lynn Potteries          | Chloé Martin        | +64 9 555 0214 | 5 Ambrico Place         | New Lynn     | 0600 | -36.9080 | 174.6830 | West           |
  Titirangi Retirement Home   | Agnes Murray        | +64 9 555 0215 | 402 Titirangi Road      | Titirangi    | 0604 | -36.9375 | 174.6560 | West           | Residents rest after lunch
  Peninsula Boat Yard         | Marko Jurić         | +64 9 555 0216 | 30 Te Atatū Road        | Te Atatū     | 0610 | -36.8450 | 174.6520 | West           | Dog in the yard; ring first
  Avondale Market Hall        | Linh Nguyen         | +64 9 555 0217 | 1 Ash Street            | Avondale     | 1026 | -36.8960 | 174.6960 | West           | Market on Sundays
  Manukau Logistics           | Deepak Sharma       | +64 9 555 0218 | 18 Lambie Drive         | Manukau      | 2104 | -36.9930 | 174.8730 | South and East | Forklifts: wear the vest
  Ōtāhuhu Health Centre       | Leilani Fonoti      | +64 9 555 0219 | 25 Station Road         | Ōtāhuhu      | 1062 | -36.9460 | 174.8440 | South and East | Mask in the waiting room
  Howick Brewery              | Patrick Byrne       | +64 9 555 0220 | 9 Picton Street         | Howick       | 2014 | -36.8940 | 174.9310 | South and East |
  Botany Swim School          | Zainab Khalil       | +64 9 555 0221 | 501 Ti Rakau Drive      | Botany       | 2013 | -36.9320 | 174.9120 | South and East | Plant room is behind lane eight
  Onehunga Wharf Café         | Giulia Romano       | +64 9 555 0222 | 55 Onehunga Mall        | Onehunga     | 1061 | -36.9230 | 174.7850 | South and East | Kitchen closes at three
  Papakura Glasshouses        | Johannes van Wyk    | +64 9 555 0223 | 71 Walters Road         | Papakura     | 2110 | -37.0560 | 174.9390 | South and East | Gate stays shut
`)

/** Whom it belongs to · asset · model · serial number · template of its jobs · whether it is out of use. */
export const assets = rows(`
  Harbour Bakery            | Boiler, Harbour Bakery       | HX-200    | HX2-00417  | boiler      |
  Navy Parade Apartments    | Boiler, Navy Parade          | HX-450    | HX4-01120  | boiler      |
  Albany Cold Store         | Main board, cold store       | MB-400    | 77-3301    | switchboard |
  Wynyard Hotel             | Boiler 1, Wynyard Hotel      | Calora 90 | C90-2218   | boiler      |
  Wynyard Hotel             | Boiler 2, Wynyard Hotel      | Calora 90 | C90-2219   | boiler      | disabled
  Mount Eden School         | Switchboard, hall            | MB-160    | 61-0092    | switchboard |
  Ponsonby Laundry          | Steam boiler, laundry        | ST-35     | ST35-0088  | boiler      |
  Henderson Timber          | Roof, drying shed            | Long-run  |            | roof        |
  Titirangi Retirement Home | Boiler, east wing            | HX-200    | HX2-00833  | boiler      |
  Avondale Market Hall      | Roof, market hall            | Sawtooth  |            | roof        |
  Manukau Logistics         | Main board, dock             | MB-400    | 77-4127    | switchboard |
  Howick Brewery            | Boiler, brewhouse            | ST-50     | ST50-0131  | boiler      |
`)

/** Equipment · model · serial · the tag it takes · group, none for all · template of the jobs that take it. */
export const equipment = rows(`
  Flue gas analyser 1  | FG-7    | FG7-1181  | Gas fitting            | North Shore    | boiler
  Flue gas analyser 2  | FG-7    | FG7-1182  | Gas fitting            | Central        | boiler
  Thermal camera       | TC-320  | TC3-0456  | Registered electrician |                | switchboard
  Scissor lift         | SL-8    | SL8-2207  | Working at height      | North Shore    | roof
  Cherry picker 2      | CP-18   | CP18-77   | Working at height      |                | roof
  Ladder set           | LS-6    |           | Working at height      | West           | roof
  Drain camera         | DC-30   | DC30-019  | Confined space         |                |
  Generator            | GN-5    | GN5-6610  |                        | South and East |
`)
